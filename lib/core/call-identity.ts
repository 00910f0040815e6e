import type { Json, JsonObject } from "#lib/protocol/json.ts";
import { canonicalJson } from "./canonical.ts";
import type { Digest } from "./ports/digest.ts";
import type { Tool } from "./tool.ts";

/**
 * What makes two calls the same: SHA-256 over desk, tool and the normalised arguments that identify a call. Key order,
 * white space of the JSON text, spellings of a decimal, and absent defaults make no difference; the order of lists does.
 */
export function callIdentity(deskName: string, tool: Tool, args: JsonObject, digest: Digest): string {
  const entries = Object.entries(args as Record<string, Json | undefined>).filter(
    ([name, value]) => value !== undefined && (tool.identifiedBy?.includes(name) ?? true),
  );
  return digest(canonicalJson([deskName, tool.name, Object.fromEntries(entries) as JsonObject]));
}

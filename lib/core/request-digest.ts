import type { JsonObject } from "#lib/protocol/json.ts";
import { canonicalJson, parseObject } from "./canonical.ts";
import type { Digest } from "./ports/digest.ts";
import type { RequestRow } from "./record.ts";
import { toolDigest, type ToolRegistry } from "./tool-registry.ts";

/**
 * What a decision has to name: SHA-256 over the request, its desk, its tool with its definition, and the arguments that
 * will run, as RFC 8785 JSON. Computed from what is there now; a tool that is gone has the definition `absent`.
 */
export function requestDigest(
  request: Pick<RequestRow, "id" | "deskName" | "tool">,
  args: string | JsonObject,
  registry: ToolRegistry | undefined,
  digest: Digest,
): string {
  const tool = registry?.find(request.tool);
  return digest(
    canonicalJson({
      request: request.id,
      desk: request.deskName,
      tool: request.tool,
      definition: tool ? toolDigest(tool, digest) : "absent",
      arguments: typeof args === "string" ? parseObject(args) : args,
    }),
  );
}

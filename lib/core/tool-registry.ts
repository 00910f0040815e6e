import type { JsonObject } from "#lib/protocol/json.ts";
import { canonicalJson } from "./canonical.ts";
import type { ToolListing } from "./ports/backend.ts";
import type { Digest } from "./ports/digest.ts";
import { notDone, workOf, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** The tools of one desk. Its `run` has one caller, the executor (P1). */
export class ToolRegistry {
  #tools: ReadonlyMap<string, Tool>;

  /** @throws TypeError where two tools have the same name. */
  constructor(tools: readonly Tool[]) {
    this.#tools = byName(tools);
  }

  /** Takes the tools of the desk's changed settings. A call that runs goes on with the tool that it began with. */
  replace(tools: readonly Tool[]): void {
    this.#tools = byName(tools);
  }

  find(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  names(): string[] {
    return [...this.#tools.keys()];
  }

  /** As backends show them to their models. */
  listing(): ToolListing[] {
    return [...this.#tools.values()].map((tool) => ({
      name: tool.name,
      description: tool.description,
      effect: tool.effect,
      parameters: tool.jsonSchema,
    }));
  }

  /** Does a tool's work. Rejects with whatever the tool throws. */
  async run(tool: Tool, args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const work = workOf(tool);
    if (!work) return notDone(`${tool.name} has no work of its own`);
    return work(args, context);
  }
}

/** SHA-256 over what a tool is to its callers: a change of it makes an approval void. */
export function toolDigest(tool: Tool, digest: Digest): string {
  return digest(
    canonicalJson({ name: tool.name, description: tool.description, effect: tool.effect, parameters: tool.jsonSchema }),
  );
}

function byName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const map = new Map(tools.map((tool) => [tool.name, tool]));
  if (map.size < tools.length) {
    const twice = tools.map((tool) => tool.name).filter((name, index, all) => all.indexOf(name) !== index);
    throw new TypeError(`two tools have the same name: ${twice.join(", ")}`);
  }
  return map;
}

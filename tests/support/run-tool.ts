import {
  workOf,
  type InspectContext,
  type Tool,
  type ToolContext,
  type ToolResult,
  type Toolset,
} from "#lib/core/tool.ts";
import type { JsonObject } from "#lib/protocol/json.ts";

/** The tool of that name. */
export function toolOf(toolset: Toolset, name: string): Tool {
  const tool = toolset.tools.find((other) => other.name === name);
  if (!tool) throw new Error(`${toolset.name} has no ${name}`);
  return tool;
}

/** Arguments as the executor would hand them on; throws where they are not valid. */
export function readFor(tool: Tool, given: JsonObject): JsonObject {
  return tool.parameters.parse(given) as JsonObject;
}

/** What is wrong with arguments, one `field: message` each; none where they are valid. */
export function problemsOf(tool: Tool, given: unknown): string[] {
  const result = tool.parameters.safeParse(given);
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
}

/** Runs a tool alone, without an executor. */
export async function runTool(tool: Tool, given: JsonObject, context: Partial<ToolContext> = {}): Promise<ToolResult> {
  const run = workOf(tool);
  if (!run) throw new Error(`${tool.name} has no work of its own`);
  return await run(readFor(tool, given), {
    deskName: "majors",
    triggerId: "t1",
    callId: "c1",
    idempotencyKey: "k1",
    signal: new AbortController().signal,
    log: () => {},
    ...context,
  });
}

/** What facts, tickets and look-ups are told. */
export function inspecting(deskName = "majors"): InspectContext {
  return { deskName, signal: new AbortController().signal };
}

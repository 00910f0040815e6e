import { z } from "zod";
import type { JsonObject } from "#lib/protocol/json.ts";
import { limits } from "#lib/protocol/limits.ts";
import { cutText } from "./canonical.ts";
import type { CoreDeps } from "./deps.ts";
import type { PolicyQuestion } from "./policy.ts";
import { timeBox } from "./time-box.ts";
import type { Tool } from "./tool.ts";
import type { RememberedCall } from "./turn-memory.ts";
import { requestLabel } from "./user-requests-table.ts";

const factsSchema = z.record(z.string(), z.json());

/** What the tool says of this call; null where it could not, or not in time. A tool without facts has none to say. */
export async function factsOf(
  tool: Tool,
  args: JsonObject,
  deskName: string,
  deps: Pick<CoreDeps, "clock" | "log">,
): Promise<JsonObject | null> {
  const { facts } = tool;
  if (!facts) return {};
  const boxed = await timeBox(deps.clock, limits.factsTimeoutMs, async (signal) =>
    factsSchema.parse(await facts(args, { deskName, signal })),
  );
  if (boxed.in === "time") return boxed.value;
  deps.log.warn({ desk: deskName, tool: tool.name, in: boxed.in }, "a tool could not compute its facts");
  return null;
}

/** The labels of what is uncertain of this desk and tool: until it is resolved, further writes are held. */
export async function uncertainLabels(deskName: string, tool: Tool, deps: Pick<CoreDeps, "store">): Promise<string[]> {
  if (tool.effect !== "write") return [];
  const uncertain = await deps.store.requests({
    deskName,
    tool: tool.name,
    kinds: ["uncertain"],
    states: ["pending"],
    order: "oldest",
    limit: 10,
  });
  return uncertain.map((request) => requestLabel(request.number));
}

/** The writes of this tool that earlier attempts of the turn completed or had held, in words. */
export function earlierAttempts(
  completed: readonly RememberedCall[],
  tool: Tool,
  attempt: number,
): PolicyQuestion["earlierAttempts"] {
  return completed
    .filter((call) => call.attempt < attempt && call.name === tool.name && call.effect === "write")
    .map((call) => `${JSON.stringify(call.arguments)} gave ${JSON.stringify(cutText(call.resultText, 500))}`);
}

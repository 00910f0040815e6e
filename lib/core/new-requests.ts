import type { JsonObject } from "#lib/protocol/json.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Question } from "#lib/protocol/questions.ts";
import { ticketSchema, type Ticket } from "#lib/protocol/ticket.ts";
import { emptyRequest } from "./call-units.ts";
import type { CoreDeps } from "./deps.ts";
import { isoNow } from "./ports/clock.ts";
import type { CallRow, RequestRow } from "./record.ts";
import { timeBox } from "./time-box.ts";
import { toolDigest } from "./tool-registry.ts";
import type { Tool } from "./tool.ts";

/** The call that is to wait, and why. */
export interface WaitingCall {
  deskName: string;
  row: CallRow;
  tool: Tool;
  args: JsonObject;
  identity: string;
  reason: string;
}

/** The row of a new hold or question. It is not committed yet. */
export async function newRequest(call: WaitingCall, deps: CoreDeps): Promise<RequestRow> {
  const { row, tool, args } = call;
  const now = deps.clock.now();
  const waitMs = tool.ask ? deps.waits.questionMs : deps.waits.holdMs;
  const id = deps.ids.next();
  return {
    ...emptyRequest,
    id,
    number: deps.ids.nextRequestNumber(),
    deskName: call.deskName,
    kind: tool.ask ? "question" : "permission",
    state: "pending",
    triggerId: row.triggerId,
    callId: row.id,
    attempt: row.attempt,
    backend: row.backend,
    tool: tool.name,
    toolDigest: toolDigest(tool, deps.digest),
    arguments: row.arguments ?? "{}",
    identity: call.identity,
    facts: row.facts,
    ticket: tool.ask ? null : await ticketOf(tool, args, call.deskName, deps),
    reason: tool.ask ? "A question of the desk." : call.reason,
    questions: tool.ask ? withIds(tool.ask(args)) : null,
    decidedBeforeId: tool.ask ? null : await decidedBefore(call, deps),
    createdAt: isoNow(deps.clock),
    expiresAt: new Date(now + waitMs).toISOString(),
    idempotencyKey: id,
  };
}

/** A tool's ticket for a call; null where it has none, or could not draw it in time. */
export async function ticketOf(
  tool: Tool,
  args: JsonObject,
  deskName: string,
  deps: Pick<CoreDeps, "clock" | "log">,
): Promise<Ticket | null> {
  const { ticket } = tool;
  if (!ticket) return null;
  const boxed = await timeBox(deps.clock, limits.factsTimeoutMs, async (signal) =>
    ticketSchema.parse(await ticket(args, { deskName, signal })),
  );
  if (boxed.in === "time") return boxed.value;
  deps.log.warn({ desk: deskName, tool: tool.name, in: boxed.in }, "a tool could not draw its ticket");
  return null;
}

async function decidedBefore(call: WaitingCall, deps: CoreDeps): Promise<string | null> {
  const [before] = await deps.store.requests({
    deskName: call.deskName,
    tool: call.tool.name,
    identity: call.identity,
    kinds: ["permission"],
    states: ["denied", "completed", "failed", "uncertain"],
    decidedSince: new Date(deps.clock.now() - limits.decidedBeforeMs).toISOString(),
    order: "newest",
    limit: 1,
  });
  return before?.id ?? null;
}

function withIds(drafts: ReturnType<NonNullable<Tool["ask"]>>): Question[] {
  return drafts.map((draft, index) => ({
    id: `q${index + 1}`,
    question: draft.question,
    header: draft.header,
    multiSelect: draft.multiSelect,
    options: draft.options.map(({ preview, ...option }, at) => ({
      id: `o${at + 1}`,
      ...option,
      ...(preview !== undefined && { preview }),
    })),
  }));
}

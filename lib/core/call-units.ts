import type { Json } from "#lib/protocol/json.ts";
import type { EventPayload, NewEvent } from "#lib/protocol/events.ts";
import type { Outcome } from "#lib/protocol/states.ts";
import { losslessReplacer } from "./canonical.ts";
import type { Change } from "./ports/unit.ts";
import type { CallRow, RequestRow } from "./record.ts";
import type { ToolResult } from "./tool.ts";
import { outcomeTrigger } from "./outcome-triggers.ts";

/** The first part of every call's unit: its row as inserted. */
export function newCall(
  call: Pick<
    CallRow,
    "id" | "deskName" | "triggerId" | "attempt" | "backend" | "name" | "argumentsGiven" | "recordedAt"
  >,
): CallRow {
  return {
    ...call,
    arguments: null,
    identity: null,
    effect: null,
    facts: null,
    verdict: null,
    verdictReason: null,
    status: "recorded",
    outcome: null,
    resultText: null,
    isError: null,
    pictureId: null,
    requestId: null,
    idempotencyKey: call.id,
    startedAt: null,
    endedAt: null,
  };
}

/** The call's `tool_call`. */
export function callEvent(row: CallRow, given: unknown): NewEvent {
  const shown = shownArguments(given, row.argumentsGiven);
  const payload: EventPayload<"tool_call"> = {
    triggerId: row.triggerId,
    callId: row.id,
    name: row.name,
    ...(shown !== undefined && { arguments: shown }),
    attempt: row.attempt,
    backend: row.backend,
    ...(row.requestId !== null && row.status === "running" && { requestId: row.requestId }),
  };
  return { deskName: row.deskName, kind: "tool_call", triggerId: row.triggerId, payload };
}

/** Arguments for people; what is not JSON is shown as the record keeps it. */
function shownArguments(given: unknown, kept: string | null): Json | undefined {
  if (given === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(given, losslessText) ?? "null") as Json;
  } catch {
    return kept;
  }
}

/** Numbers that a double cannot keep are shown by their digits, as text. */
function losslessText(key: string, value: unknown): unknown {
  const raw = losslessReplacer(key, value);
  return raw === value ? value : (value as { value: string }).value;
}

/** The call's `tool_result`. */
export function resultEvent(row: CallRow, durationMs?: number): NewEvent {
  return {
    deskName: row.deskName,
    kind: "tool_result",
    triggerId: row.triggerId,
    payload: {
      triggerId: row.triggerId,
      callId: row.id,
      name: row.name,
      isError: row.isError ?? true,
      text: row.resultText ?? "",
      ...(row.pictureId !== null && { picturePath: picturePath(row.pictureId) }),
      status: row.status as EventPayload<"tool_result">["status"],
      outcome: row.outcome ?? "notDone",
      ...(row.requestId !== null && { requestId: row.requestId }),
      ...(durationMs !== undefined && { durationMs }),
    },
  };
}

/** Where a picture is reached. */
export function picturePath(id: string): string {
  return `/api/pictures/${id}`;
}

/** The final status of a call by what became of its work. */
export function statusOf(outcome: Outcome): "succeeded" | "failed" | "uncertain" {
  return outcome === "done" ? "succeeded" : outcome === "notDone" ? "failed" : "uncertain";
}

/** The event that puts a new request before people. */
export function requestEvent(row: RequestRow, summary: string): NewEvent {
  return {
    deskName: row.deskName,
    kind: "user_request",
    triggerId: row.triggerId,
    payload: { requestId: row.id, number: row.number, kind: row.kind, callId: row.callId, tool: row.tool, summary },
  };
}

/** The event of a request's change. */
export function changedEvent(
  row: Pick<RequestRow, "id" | "number" | "deskName" | "triggerId">,
  change: Omit<EventPayload<"user_request_changed">, "requestId" | "number">,
): NewEvent {
  return {
    deskName: row.deskName,
    kind: "user_request_changed",
    triggerId: row.triggerId,
    payload: { requestId: row.id, number: row.number, ...change },
  };
}

/** The request for a call whose outcome is not known. */
export function uncertainRequest(
  call: CallRow,
  ids: { id: string; number: number; toolDigest: string },
  reason: string,
  at: string,
): RequestRow {
  return {
    ...emptyRequest,
    ...ids,
    deskName: call.deskName,
    kind: "uncertain",
    state: "pending",
    triggerId: call.triggerId,
    callId: call.id,
    attempt: call.attempt,
    backend: call.backend,
    tool: call.name,
    arguments: call.arguments ?? "{}",
    identity: call.identity ?? "",
    facts: call.facts,
    reason,
    createdAt: at,
    idempotencyKey: call.idempotencyKey,
  };
}

/** What a request has not at its beginning. */
export const emptyRequest = {
  argumentsBeforeEdit: null,
  facts: null,
  ticket: null,
  questions: null,
  answers: null,
  decidedBeforeId: null,
  expiresAt: null,
  decidedBy: null,
  decidedAt: null,
  decision: null,
  note: null,
  runBy: null,
  runCallId: null,
  resultText: null,
} satisfies Partial<RequestRow>;

/** The row of a call that has ended, and its picture's. */
export function endedCall(
  row: CallRow,
  result: ToolResult,
  end: { at: string; text: string; pictureId: string },
): { row: CallRow; changes: Change[] } {
  const ended: CallRow = {
    ...row,
    status: statusOf(result.outcome),
    outcome: result.outcome,
    resultText: end.text,
    isError: result.isError,
    pictureId: result.picture ? end.pictureId : null,
    endedAt: end.at,
  };
  const { status, outcome, resultText, isError, pictureId, endedAt } = ended;
  const changes: Change[] = [
    { update: "call", key: row.id, set: { status, outcome, resultText, isError, pictureId, endedAt } },
  ];
  if (result.picture) changes.unshift({ insert: "picture", row: { id: end.pictureId, ...result.picture } });
  return { row: ended, changes };
}

/** The end of an approved request: its state, its event, and the trigger that tells the desk. */
export function requestOutcome(
  request: RequestRow,
  to: "completed" | "failed" | "uncertain",
  result: { text: string; at: string; triggerId: string; reason?: string },
): { changes: Change[]; events: NewEvent[] } {
  const told = outcomeTrigger(request, result.triggerId, result.at, {
    state: to,
    by: request.decidedBy,
    note: request.note === "" ? null : request.note,
    resultText: result.text,
  });
  return {
    changes: [{ update: "request", key: request.id, set: { state: to, resultText: result.text } }, told.change],
    events: [
      changedEvent(request, {
        from: "running",
        to,
        ...(request.decidedBy !== null && { by: request.decidedBy }),
        ...(result.reason !== undefined && { reason: result.reason }),
      }),
      told.event,
    ],
  };
}

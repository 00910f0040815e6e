import type { CallRow, DeskRow, NoteRow, PaperOrderRow, RequestRow, RuleRow, TriggerRow } from "#lib/core/record.ts";
import type { Unit } from "#lib/core/ports/unit.ts";
import { capsSchema } from "#lib/protocol/caps.ts";
import type { NewEvent } from "#lib/protocol/events.ts";

// Whole rows with what a test does not care about filled in.
const at = "2026-09-08T14:00:00.000Z";

/** A unit of what is given. */
export function unit(parts: Partial<Unit> = {}): Unit {
  return { name: "note", when: [], changes: [], events: [], ...parts };
}

/** A message event of a desk. */
export function message(deskName: string, text: string, triggerId: string | null = null): NewEvent {
  return { deskName, kind: "message", triggerId, payload: { from: "desk", name: deskName, text } };
}

export function deskRow(row: Partial<DeskRow> = {}): DeskRow {
  return {
    name: "majors",
    status: "active",
    instructions: "Trade the majors.",
    instructionsVersion: 1,
    backends: ["playbook"],
    toolsets: ["market"],
    caps: capsSchema.parse({}),
    capReached: null,
    createdAt: at,
    updatedAt: at,
    ...row,
  };
}

export function triggerRow(row: Partial<TriggerRow> = {}): TriggerRow {
  return {
    id: "T1",
    deskName: "majors",
    kind: "message",
    state: "queued",
    priority: 0,
    from: "ann",
    text: "Trim if it gaps",
    data: {},
    requestId: null,
    clientId: null,
    runs: 0,
    attempt: 0,
    attemptOpen: false,
    backend: null,
    stoppedAt: null,
    createdAt: at,
    startedAt: null,
    endedAt: null,
    endReason: null,
    ...row,
  };
}

export function callRow(row: Partial<CallRow> = {}): CallRow {
  return {
    id: "C1",
    deskName: "majors",
    triggerId: "T1",
    attempt: 1,
    backend: "playbook",
    name: "get_quote",
    argumentsGiven: '{"symbol":"EURUSD"}',
    arguments: '{"symbol":"EURUSD"}',
    identity: "identity",
    effect: "read",
    facts: null,
    verdict: "allow",
    verdictReason: "default",
    status: "running",
    outcome: null,
    resultText: null,
    isError: null,
    pictureId: null,
    requestId: null,
    idempotencyKey: "C1",
    recordedAt: at,
    startedAt: at,
    endedAt: null,
    ...row,
  };
}

export function requestRow(row: Partial<RequestRow> = {}): RequestRow {
  return {
    id: "R1",
    number: 1,
    deskName: "majors",
    kind: "permission",
    state: "pending",
    triggerId: "T1",
    callId: "C1",
    attempt: 1,
    backend: "playbook",
    tool: "place_order",
    toolDigest: "tool digest",
    arguments: '{"quantity":"10","symbol":"EURUSD"}',
    argumentsBeforeEdit: null,
    identity: "identity",
    facts: null,
    ticket: null,
    reason: "place_order is a write without a rule",
    questions: null,
    answers: null,
    decidedBeforeId: null,
    createdAt: at,
    expiresAt: null,
    decidedBy: null,
    decidedAt: null,
    decision: null,
    note: null,
    runBy: null,
    runCallId: null,
    idempotencyKey: "R1",
    resultText: null,
    ...row,
  };
}

export function ruleRow(row: Partial<RuleRow> = {}): RuleRow {
  return {
    id: "U1",
    deskName: null,
    tool: "place_order",
    verdict: "hold",
    arguments: null,
    facts: null,
    note: "",
    createdBy: "lea",
    createdAt: at,
    ...row,
  };
}

export function paperOrderRow(row: Partial<PaperOrderRow> = {}): PaperOrderRow {
  return {
    id: "P1",
    deskName: "majors",
    key: "key",
    symbol: "EURUSD",
    side: "buy",
    quantity: "123456789012345678.91",
    price: "1.16040",
    at,
    ...row,
  };
}

export function noteRow(row: Partial<NoteRow> = {}): NoteRow {
  return { id: "N1", deskName: "majors", text: "a note", at, ...row };
}

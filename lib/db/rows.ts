import type { Rows, Table } from "#lib/core/record.ts";
import { fromStoredJson, fromStoredText, toStoredJson, toStoredText } from "./stored-text.ts";

// How each column is kept: `text` and `json` as text, `plain` as the database's own number, boolean or bytes.
type Kept = "text" | "json" | "plain";
type Columns<T extends Table> = Record<keyof Rows[T], Kept>;

const columns: { [T in Table]: Columns<T> } = {
  desk: {
    name: "text",
    status: "text",
    instructions: "text",
    instructionsVersion: "plain",
    backends: "json",
    toolsets: "json",
    caps: "json",
    capReached: "json",
    createdAt: "text",
    updatedAt: "text",
  },
  trigger: {
    id: "text",
    deskName: "text",
    kind: "text",
    state: "text",
    priority: "plain",
    from: "text",
    text: "text",
    data: "json",
    requestId: "text",
    clientId: "text",
    runs: "plain",
    attempt: "plain",
    attemptOpen: "plain",
    backend: "text",
    stoppedAt: "text",
    createdAt: "text",
    startedAt: "text",
    endedAt: "text",
    endReason: "text",
  },
  call: {
    id: "text",
    deskName: "text",
    triggerId: "text",
    attempt: "plain",
    backend: "text",
    name: "text",
    argumentsGiven: "text",
    arguments: "text",
    identity: "text",
    effect: "text",
    facts: "json",
    verdict: "text",
    verdictReason: "text",
    status: "text",
    outcome: "text",
    resultText: "text",
    isError: "plain",
    pictureId: "text",
    requestId: "text",
    idempotencyKey: "text",
    recordedAt: "text",
    startedAt: "text",
    endedAt: "text",
  },
  request: {
    id: "text",
    number: "plain",
    deskName: "text",
    kind: "text",
    state: "text",
    triggerId: "text",
    callId: "text",
    attempt: "plain",
    backend: "text",
    tool: "text",
    toolDigest: "text",
    arguments: "text",
    argumentsBeforeEdit: "text",
    identity: "text",
    facts: "json",
    ticket: "json",
    reason: "text",
    questions: "json",
    answers: "json",
    decidedBeforeId: "text",
    createdAt: "text",
    expiresAt: "text",
    decidedBy: "text",
    decidedAt: "text",
    decision: "text",
    note: "text",
    runBy: "text",
    runCallId: "text",
    idempotencyKey: "text",
    resultText: "text",
  },
  rule: {
    id: "text",
    deskName: "text",
    tool: "text",
    verdict: "text",
    arguments: "text",
    facts: "json",
    note: "text",
    createdBy: "text",
    createdAt: "text",
  },
  picture: { id: "text", type: "text", bytes: "plain" },
  paperOrder: {
    id: "text",
    deskName: "text",
    key: "text",
    symbol: "text",
    side: "text",
    quantity: "text",
    price: "text",
    at: "text",
  },
  note: { id: "text", deskName: "text", text: "text", at: "text" },
};

/** A row, or some of its columns, as the database keeps it. */
export function toStoredRow<T extends Table>(table: T, row: Partial<Rows[T]>): Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    if (value === undefined) continue;
    stored[column] = value === null ? null : toStored(columns[table][column as keyof Rows[T]], value);
  }
  return stored;
}

function toStored(kept: Kept, value: unknown): unknown {
  if (kept === "json") return toStoredJson(value);
  return kept === "text" && typeof value === "string" ? toStoredText(value) : value;
}

/** A row as the domain knows it. */
export function fromStoredRow<T extends Table>(table: T, stored: object): Rows[T] {
  const row: Record<string, unknown> = {};
  const values = stored as Record<string, unknown>;
  for (const [column, kept] of Object.entries<Kept>(columns[table])) {
    const value = values[column];
    row[column] = value === null ? null : fromStored(kept, value);
  }
  return row as unknown as Rows[T];
}

function fromStored(kept: Kept, value: unknown): unknown {
  if (kept === "json") return fromStoredJson(value as string);
  return kept === "text" ? fromStoredText(value as string) : value;
}

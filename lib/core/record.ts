import type { CapReached, Caps } from "#lib/protocol/caps.ts";
import type { Json, JsonObject } from "#lib/protocol/json.ts";
import type { Answer, Question } from "#lib/protocol/questions.ts";
import type {
  CallStatus,
  DeskStatus,
  Effect,
  Outcome,
  RequestKind,
  RequestState,
  TriggerKind,
  TriggerState,
  Verdict,
} from "#lib/protocol/states.ts";
import type { Ticket } from "#lib/protocol/ticket.ts";

// The rows of the record. Every time is ISO 8601 in UTC with milliseconds ("2026-09-08T14:02:11.000Z"), so that text
// order is time order. Every id is a ULID, but a desk's name is its key.

export interface DeskRow {
  name: string;
  status: DeskStatus;
  instructions: string;
  instructionsVersion: number;
  /** Names of backends, in the order in which the router tries them. */
  backends: string[];
  /** Names of toolsets. */
  toolsets: string[];
  caps: Caps;
  capReached: CapReached | null;
  createdAt: string;
  updatedAt: string;
}

export interface TriggerRow {
  id: string;
  deskName: string;
  kind: TriggerKind;
  state: TriggerState;
  /** 0: people's messages, answers and outcomes; 1: schedules. The lower runs first, then the older. */
  priority: number;
  /** Who or what it comes from, as people read it. */
  from: string;
  text: string;
  /** What a backend gets beside the text, by kind: the answers, or the outcome of a request. */
  data: JsonObject;
  requestId: string | null;
  /** Unique for a desk where it is given. */
  clientId: string | null;
  /** How often it was started. */
  runs: number;
  /** The number of its newest attempt, 0 before the first; it goes on through its runs. */
  attempt: number;
  attemptOpen: boolean;
  /** The backend of its newest attempt. */
  backend: string | null;
  /** Set by a stop, also when the turn has ended: nothing of it starts any more. */
  stoppedAt: string | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
  endReason: string | null;
}

export interface CallRow {
  id: string;
  deskName: string;
  triggerId: string;
  attempt: number;
  backend: string;
  name: string;
  /** JSON text as given; null where none were given ("null" where null was). */
  argumentsGiven: string | null;
  /** Normalised arguments as canonical JSON text (RFC 8785); null where they were not valid. */
  arguments: string | null;
  /** SHA-256, in hex, over desk, tool and normalised arguments: equal for equal calls. */
  identity: string | null;
  effect: Effect | null;
  facts: JsonObject | null;
  verdict: Verdict | null;
  /** The rule, or the default, that gave the verdict, in words. */
  verdictReason: string | null;
  status: CallStatus;
  outcome: Outcome | null;
  resultText: string | null;
  isError: boolean | null;
  pictureId: string | null;
  /** The request that it waits for or carries out. */
  requestId: string | null;
  idempotencyKey: string;
  recordedAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

export interface RequestRow {
  id: string;
  /** The label: 41 is read as `R-41`. */
  number: number;
  deskName: string;
  kind: RequestKind;
  state: RequestState;
  triggerId: string;
  /** The call that was held, that asked, or whose outcome is unknown. */
  callId: string;
  attempt: number;
  backend: string;
  tool: string;
  /** SHA-256 over the tool's name and definition when it was held. */
  toolDigest: string;
  /** Normalised arguments as canonical JSON text: what will run, after an edit the edited ones. */
  arguments: string;
  argumentsBeforeEdit: string | null;
  /** As in CallRow, of the arguments as the desk gave them. */
  identity: string;
  facts: JsonObject | null;
  ticket: Ticket | null;
  /** Why it waits, in words. */
  reason: string;
  questions: Question[] | null;
  answers: Answer[] | null;
  /** An equal request that was decided within a day. */
  decidedBeforeId: string | null;
  createdAt: string;
  /** Null: never. What cannot be read as a time has expired. */
  expiresAt: string | null;
  decidedBy: string | null;
  decidedAt: string | null;
  /** `approve`, `deny`, `dismiss`, `answer`, or how an uncertain call was resolved. */
  decision: string | null;
  note: string | null;
  /** An approved call starts until then, or not at all. */
  runBy: string | null;
  runCallId: string | null;
  idempotencyKey: string;
  resultText: string | null;
}

export interface RuleRow {
  id: string;
  /** Null: every desk. */
  deskName: string | null;
  /** A tool's name, or `*`. */
  tool: string;
  verdict: Verdict;
  /** Canonical JSON text of the only arguments that it matches; null: any. */
  arguments: string | null;
  /** Facts that the call must have, each equal; null: any. */
  facts: { [name: string]: Json } | null;
  note: string;
  createdBy: string;
  createdAt: string;
}

export interface PictureRow {
  id: string;
  type: "image/png" | "image/jpeg" | "image/webp";
  bytes: Uint8Array;
}

/** One fill of the plain paper account. Quantities and prices are canonical decimal text. */
export interface PaperOrderRow {
  id: string;
  deskName: string;
  /** The idempotency key: one order a key. */
  key: string;
  symbol: string;
  side: "buy" | "sell";
  quantity: string;
  price: string;
  at: string;
}

export interface NoteRow {
  id: string;
  deskName: string;
  text: string;
  at: string;
}

/** The tables that a unit may insert into, with their rows. */
export interface Rows {
  desk: DeskRow;
  trigger: TriggerRow;
  call: CallRow;
  request: RequestRow;
  rule: RuleRow;
  picture: PictureRow;
  paperOrder: PaperOrderRow;
  note: NoteRow;
}
export type Table = keyof Rows;

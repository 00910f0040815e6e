import type { JsonObject } from "#lib/protocol/json.ts";
import type { BackendFailureKind, CallStatus, Effect, TriggerKind } from "#lib/protocol/states.ts";
import type { ToolResult } from "#lib/core/tool.ts";

/** A call that ran, or was held, during a turn. */
export interface CompletedCall {
  callId: string;
  name: string;
  /** Normalised. */
  arguments: JsonObject;
  resultText: string;
  isError: boolean;
}

/** What the executor answers to a call. */
export interface CallAnswer extends Omit<ToolResult, "picture"> {
  callId: string;
  status: CallStatus;
  /** The request that the call waits for. */
  requestId: string | null;
  picturePath: string | null;
}

/** A call as a backend asks for it. */
export interface CallAsk {
  name: string;
  /** As parsed; numbers that JSON cannot keep come as `LosslessNumber`. Left out where the caller gave none. */
  arguments?: unknown;
}

/** The tools of a desk, as a backend shows them to its model. */
export interface ToolListing {
  name: string;
  description: string;
  effect: Effect;
  parameters: JsonObject;
}

/** What a turn starts from, and what it can do. */
export interface BackendTurn {
  readonly desk: { name: string; instructions: string };
  readonly trigger: {
    id: string;
    kind: TriggerKind;
    from: string;
    text: string;
    /** By kind: an outcome's is `OutcomeData`, an answer's `AnswerData` (see outcome-data.ts). */
    data: JsonObject;
    requestId: string | null;
  };
  readonly attempt: number;
  readonly tools: readonly ToolListing[];
  /** What this turn has completed already, by an earlier attempt or before a restart: oldest first. */
  readonly completedCalls: readonly CompletedCall[];
  /** Requests of the desk that wait for a person, oldest first. */
  readonly pendingRequests: readonly PendingRequest[];
  /** Aborted when the attempt is closed: by a stop, a cap, or the router. */
  readonly signal: AbortSignal;
  /** Makes a tool call through the executor. Rejects only where the record cannot be written. */
  call(ask: CallAsk): Promise<CallAnswer>;
  /** Says something to the desk's people: a `message` event. Does nothing once the attempt is closed. */
  say(text: string): Promise<void>;
  /** Counts one request to a model; false where the turn's cap is reached, and then none may be made. */
  countModelRequest(): Promise<boolean>;
}

export interface PendingRequest {
  id: string;
  label: string;
  kind: "question" | "permission" | "uncertain";
  tool: string;
  arguments: JsonObject;
}

/** What turns a trigger into tool calls and text. */
export interface Backend {
  /** As desks name it, such as `playbook:trend`. */
  readonly name: string;
  /** For a backend that acts by itself: each active desk that has it first gets such a trigger by the clock. */
  readonly schedule?: Schedule;
  /**
   * Does one turn. Resolves when it is done.
   * @throws BackendFailure where another backend should take over; anything else that it throws counts as
   * `broken_reply`.
   */
  run(turn: BackendTurn): Promise<void>;
}

/** A backend could not do its turn. */
export class BackendFailure extends Error {
  readonly kind: BackendFailureKind;
  /** How long to leave it alone, in milliseconds, where the backend said so. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: BackendFailureKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "BackendFailure";
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** How often a backend wants to be woken. */
export interface Schedule {
  /** From one trigger of kind `schedule` to the next, in milliseconds. */
  everyMs: number;
  /** From the start of the process to the first, in milliseconds. */
  firstAfterMs: number;
  /** What the trigger says to people. */
  text: string;
}

import type { DeskEvent, NewEvent } from "#lib/protocol/events.ts";
import type { CallStatus, DeskStatus, RequestState, TriggerState } from "#lib/protocol/states.ts";
import type { DeskRow, RequestRow, Rows, Table, TriggerRow, CallRow } from "#lib/core/record.ts";

/**
 * What must hold for a unit to be committed. All are checked, in their order, inside the transaction and before any
 * change; what does not exist does not hold.
 */
export type Condition =
  | { that: "desk"; name: string; status: readonly DeskStatus[] }
  /** The trigger is running, its attempt has this number and is open, and it was not stopped. */
  | { that: "attemptOpen"; triggerId: string; attempt: number }
  | { that: "trigger"; id: string; state?: readonly TriggerState[]; notStopped?: boolean }
  /**
   * `alive`: it has not expired by the store's clock (null never expires; unreadable has). `expired`: the opposite.
   * `startable`: `runBy` has not passed.
   */
  | {
      that: "request";
      id: string;
      state: readonly RequestState[];
      alive?: true;
      expired?: true;
      startable?: true;
      /** Canonical arguments, to the letter. */
      arguments?: string;
    }
  | { that: "call"; id: string; status: readonly CallStatus[] }
  /** The rules are still those that were read. */
  | { that: "policy"; version: number }
  /** Fewer than `below` requests of the desk are pending (uncertain ones do not count). */
  | { that: "pendingRequests"; deskName: string; below: number }
  | { that: "queuedTriggers"; deskName: string; below: number }
  /** No uncertain request of this desk and tool is pending. */
  | { that: "noUncertain"; deskName: string; tool: string }
  /** No row has this key. */
  | { that: "noDesk"; name: string }
  | { that: "noClientId"; deskName: string; clientId: string }
  | { that: "noPaperOrder"; key: string }
  /** The rule exists. */
  | { that: "rule"; id: string };

/** One change of a unit; applied in order once every condition holds. An update of a row that is not there throws. */
export type Change =
  | { [T in Table]: { insert: T; row: Rows[T] } }[Table]
  | { update: "desk"; key: string; set: Partial<DeskRow> }
  | { update: "trigger"; key: string; set: Partial<TriggerRow> }
  | { update: "call"; key: string; set: Partial<CallRow> }
  | { update: "request"; key: string; set: Partial<RequestRow> }
  | { delete: "rule"; key: string }
  /** Raises the policy's version by one. */
  | { bump: "policy" }
  /**
   * Cancels every pending or approved request (uncertain ones stay) of the desk, or of one of its triggers, each with its
   * own `user_request_changed` behind the unit's other events, oldest first.
   */
  | { cancel: "requests"; deskName: string; triggerId?: string; by: string; reason: string; at: string }
  /** Stops every queued trigger of the desk, each with its own `turn_ended`, oldest first. */
  | { cancel: "triggers"; deskName: string; by: string; reason: string; at: string };

/** What the units are called: in logs, and where a test stops the process. */
export type UnitName =
  | "call"
  | "refusal"
  | "hold"
  | "question"
  | "result"
  | "decision"
  | "void"
  | "expiry"
  | "approvedRun"
  | "approvedResult"
  | "answer"
  | "dismissal"
  | "resolution"
  | "settlement"
  | "trigger"
  | "turnStart"
  | "attemptStart"
  | "attemptEnd"
  | "backendFailed"
  | "turnEnd"
  | "message"
  | "stop"
  | "desk"
  | "cap"
  | "policy"
  | "recovery"
  | "paperOrder"
  | "note";

/** Conditional changes and their events: all or nothing. */
export interface Unit {
  readonly name: UnitName;
  readonly when: readonly Condition[];
  readonly changes: readonly Change[];
  readonly events: readonly NewEvent[];
}

/** The row that made a condition fail, as it is now; null where it is a count, or where there is none. */
export type WinningRow =
  | { table: "desk"; row: DeskRow }
  | { table: "trigger"; row: TriggerRow }
  | { table: "call"; row: CallRow }
  | { table: "request"; row: RequestRow }
  | { table: "paperOrder"; row: Rows["paperOrder"] }
  | { table: "policy"; version: number }
  | { table: "count"; count: number };

export type CommitResult =
  | { committed: true; events: DeskEvent[] }
  | { committed: false; failed: Condition; winner: WinningRow | null };

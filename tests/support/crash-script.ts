import type { CompletedCall } from "#lib/core/ports/backend.ts";
import type { JsonObject } from "#lib/protocol/json.ts";
import type { CallStatus, TriggerKind } from "#lib/protocol/states.ts";

/** What people, and the test, do while a process of the suite lives; done one after another. */
export type Act =
  /** Sends the desk what its backend is to do: a line a step, see crash-backend.ts. */
  | { do: "send"; text: string; clientId?: string }
  /** Sends so many messages in one tick, each with a `clientId`. */
  | { do: "sendMany"; count: number }
  | { do: "createDesk"; name: string }
  | { do: "capCalls"; callsPerTurn: number }
  /** Adds a rule that allows exactly these arguments of `place_order`. */
  | { do: "allow"; arguments: string }
  /** Each of these waits until a request of its kind is pending, and takes the oldest. */
  | { do: "approve" | "deny" | "answer" | "dismiss" }
  | { do: "approveNewest" }
  | { do: "approveEdited"; arguments: JsonObject }
  | { do: "resolve"; outcome: "ran" | "didNotRun" | "runAgain" }
  | { do: "stop"; all: boolean }
  | { do: "pause" | "resume" }
  /** Waits until nothing runs and nothing that may run waits. */
  | { do: "rest" }
  | { do: "later"; ms: number }
  /** Lets the hung work of `wire_funds` go on, and waits until what it settles is settled. */
  | { do: "release" }
  /** Waits until this point was passed. */
  | { do: "reach"; point: string }
  /** Goes on living until the parent ends the standard input. */
  | { do: "stay" };

/** One process, from its start to its kill. */
export interface Life {
  acts: readonly Act[];
  /** Where it kills itself, such as `before:result#1`; see crash-points.ts. Null: it ends by itself. */
  kill: string | null;
  /** Points at which the process hangs for ever, as on a disk that does not answer. */
  stalls?: readonly string[];
  /** How far ahead of the machine's clock its own is, in milliseconds. */
  aheadMs?: number;
}

/** What a child process is started with. */
export interface LifeOrder extends Life {
  /** Holds `data`, and the witness beside it. */
  folder: string;
}

/** What the outside saw, told as it happened. */
export type Report =
  | { report: "started" }
  /** The start was refused, as the terminal says it. */
  | { report: "notStarted"; text: string }
  | { report: "published"; events: { position: number; hash: string }[] }
  /** A backend was given a turn. */
  | {
      report: "turn";
      triggerId: string;
      kind: TriggerKind;
      requestId: string | null;
      completed: readonly CompletedCall[];
    }
  /** A backend has the answer to its call. */
  | {
      report: "answered";
      triggerId: string;
      callId: string;
      name: string;
      status: CallStatus;
      text: string;
      requestId: string | null;
    }
  | { report: "accepted"; triggerId: string; text: string; clientId: string | null }
  | { report: "deskStatus"; desk: string; status: string }
  | { report: "ruled"; ruleId: string }
  /** A decision, an answer and so on was confirmed to its caller: the state that it leads to. */
  | { report: "decided"; requestId: string; to: "approved" | "denied" | "answered" | "dismissed" | "resolved" }
  | { report: "stopped"; triggers: readonly string[]; requests: readonly string[] }
  /** What a caller asked for was refused. */
  | { report: "refused"; act: Act["do"]; code: string };

/** Whoever the outside tells; resolves unless the process ends there. */
export type Tell = (report: Report) => Promise<void>;

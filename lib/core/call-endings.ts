import type { CapName } from "#lib/protocol/caps.ts";
import { answerOf } from "./call-answers.ts";
import { callEvent, resultEvent } from "./call-units.ts";
import { capUnit } from "./caps.ts";
import type { CoreDeps } from "./deps.ts";
import type { CallAnswer } from "./ports/backend.ts";
import { isoNow } from "./ports/clock.ts";
import type { CommitResult, Condition, UnitName } from "./ports/unit.ts";
import type { CallRow } from "./record.ts";
import type { RememberedCall, TurnHandle, TurnMemory } from "./turn-memory.ts";

/** A call that was asked for, with its row as it will be recorded. */
export interface AskedCall {
  turn: TurnHandle;
  given: unknown;
  row: CallRow;
}

/** A call for which no tool starts. `remember` is set where it was held or asked. */
export interface AnsweredCall {
  answer: CallAnswer;
  remember: RememberedCall | null;
}

/** How a call ends for which no tool starts. */
export interface CallEnd {
  status: "refused" | "denied" | "held" | "succeeded";
  text: string;
  isError: boolean;
  requestId?: string;
}

/** Ends calls for which no tool starts: each in one unit with its `tool_call` and its `tool_result`. */
export class CallEndings {
  readonly #deskName: string;
  readonly #memory: TurnMemory;
  readonly #deps: CoreDeps;

  constructor(deskName: string, memory: TurnMemory, deps: CoreDeps) {
    this.#deskName = deskName;
    this.#memory = memory;
    this.#deps = deps;
  }

  /** What must hold for anything to follow from a call but its refusal: desk active, turn and attempt open. */
  open(call: AskedCall): Condition[] {
    return [
      { that: "desk", name: this.#deskName, status: ["active"] },
      { that: "attemptOpen", triggerId: call.turn.triggerId, attempt: call.turn.attempt },
    ];
  }

  /** The row of a call that ends so. */
  ended(row: CallRow, end: CallEnd): CallRow {
    return {
      ...row,
      status: end.status,
      outcome: end.status === "succeeded" ? "done" : "notDone",
      resultText: end.text,
      isError: end.isError,
      requestId: end.requestId ?? null,
      endedAt: isoNow(this.#deps.clock),
    };
  }

  /** Ends a call as long as its turn is open; null where it has to be judged anew. */
  async answer(call: AskedCall, name: UnitName, end: CallEnd): Promise<AnsweredCall | null> {
    const ended = this.ended(call.row, end);
    const result = await this.#deps.store.commit({
      name,
      when: this.open(call),
      changes: [{ insert: "call", row: ended }],
      events: [callEvent(call.row, call.given), resultEvent(ended)],
    });
    return result.committed ? { answer: answerOf(ended), remember: null } : this.refusedBy(call, result);
  }

  /** Records a refusal: it needs no open turn. */
  async refuse(call: AskedCall, text: string): Promise<AnsweredCall> {
    const ended = this.ended(call.row, { status: "refused", text, isError: true });
    const result = await this.#deps.store.commit({
      name: "refusal",
      when: [],
      changes: [{ insert: "call", row: ended }],
      events: [callEvent(call.row, call.given), resultEvent(ended)],
    });
    if (!result.committed) throw new Error(`the refusal of call ${call.row.id} was not recorded`);
    return { answer: answerOf(ended), remember: null };
  }

  /** The refusal that a failed condition asks for; null where the call has to be judged anew. */
  async refusedBy(call: AskedCall, result: CommitResult, cap = 0): Promise<AnsweredCall | null> {
    if (result.committed) return null;
    const { failed } = result;
    if (failed.that === "desk") {
      const status = result.winner?.table === "desk" ? result.winner.row.status : "gone";
      return this.refuse(call, `Refused: the desk is ${status}, and its calls are not run. A person has to resume it.`);
    }
    if (failed.that === "attemptOpen") {
      return this.refuse(call, "Refused: this attempt of the turn is over, and its calls are not run.");
    }
    if (failed.that === "pendingRequests") return this.atCap(call, "pendingRequests", cap, cap + 1);
    return null;
  }

  /** Refuses a call at a cap, and tells people once a turn. */
  async atCap(call: AskedCall, cap: CapName, limit: number, given: number): Promise<AnsweredCall> {
    const turn = this.#memory.of(call.turn.triggerId);
    if (!turn.capsTold.has(cap)) {
      turn.capsTold.add(cap);
      await capUnit(this.#deps, this.#deskName, { cap, limit, triggerId: call.turn.triggerId });
    }
    const numbers = `at most ${limit}, this would be ${given}`;
    return this.refuse(call, `Refused: the desk is at its cap ${cap}: ${numbers}. End this turn; people were told.`);
  }
}

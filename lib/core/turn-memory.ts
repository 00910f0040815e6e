import type { CompletedCall } from "./ports/backend.ts";
import type { CapName } from "#lib/protocol/caps.ts";
import type { Effect } from "#lib/protocol/states.ts";

/** The running turn's handle: its trigger with the number of its attempt. */
export interface TurnHandle {
  triggerId: string;
  attempt: number;
  /** The backend of the attempt. */
  backend: string;
  /** Aborted by a stop: a `read` that runs ends at once. */
  signal?: AbortSignal;
}

/** A completed call with what the next attempt and the gate need to know of it. */
export interface RememberedCall extends CompletedCall {
  effect: Effect;
  attempt: number;
  /** The request that it waits for. */
  requestId: string | null;
}

/** What is remembered of one turn. */
export interface TurnRecord {
  /** Calls that were asked for, refused ones too. */
  asked: number;
  modelRequests: number;
  completed: RememberedCall[];
  /** The request of each call that was held, by the call's identity. */
  held: Map<string, string>;
  /** Calls under way, from the moment that they were asked for. */
  inFlight: Set<Promise<unknown>>;
  /** Caps that were told to people already. */
  capsTold: Set<CapName>;
  open: boolean;
}

/** Turns that are remembered, the newest; open ones are never forgotten. */
const rememberedTurns = 500;

/** What a desk's executor remembers of its turns. Bounded. */
export class TurnMemory {
  readonly #turns = new Map<string, TurnRecord>();

  find(triggerId: string): TurnRecord | undefined {
    return this.#turns.get(triggerId);
  }

  /** The turn's record, made where there is none. */
  of(triggerId: string): TurnRecord {
    const known = this.#turns.get(triggerId);
    if (known) return known;
    const turn: TurnRecord = {
      asked: 0,
      modelRequests: 0,
      completed: [],
      held: new Map(),
      inFlight: new Set(),
      capsTold: new Set(),
      open: false,
    };
    this.#turns.set(triggerId, turn);
    return turn;
  }

  /** Keeps a completed call of a turn; the oldest come first. */
  remember(triggerId: string, call: RememberedCall): void {
    const { completed } = this.of(triggerId);
    completed.push(call);
    completed.sort((a, b) => (a.callId < b.callId ? -1 : 1));
  }

  /** Ends a turn and forgets the oldest that may be forgotten. Gives the ids that were. */
  end(triggerId: string): string[] {
    const turn = this.#turns.get(triggerId);
    if (turn) turn.open = false;
    const forgotten: string[] = [];
    for (const [id, old] of this.#turns) {
      if (this.#turns.size <= rememberedTurns) break;
      if (old.open || old.inFlight.size > 0) continue;
      this.#turns.delete(id);
      forgotten.push(id);
    }
    return forgotten;
  }

  /** Every remembered call that waits, or waited, for this request. */
  heldFor(requestId: string): RememberedCall[] {
    return [...this.#turns.values()].flatMap((turn) => turn.completed.filter((call) => call.requestId === requestId));
  }
}

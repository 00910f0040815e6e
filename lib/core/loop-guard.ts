import type { Effect, Outcome } from "#lib/protocol/states.ts";

/** What the guard needs to know of a call. `key` is equal for equal calls: tool and identifying, normalised arguments. */
export interface GuardedCall {
  triggerId: string;
  callId: string;
  name: string;
  effect: Effect;
  key: string;
}

/** What came of it. */
export interface ObservedResult {
  text: string;
  outcome: Outcome;
}

interface Entry extends GuardedCall {
  /** Null while it runs. */
  result: ObservedResult | null;
}

/** The longest cycle of reads that is looked for. */
const longestCycle = 5;
/** Entries of a turn that can matter to a cycle. */
const kept = longestCycle * 3;

/** Refuses a call that only repeats what its turn has done. Counts for each turn. */
export class LoopGuard {
  readonly #turns = new Map<string, { entries: Entry[]; writes: Map<string, Entry> }>();

  startTurn(triggerId: string): void {
    if (!this.#turns.has(triggerId)) this.#turns.set(triggerId, { entries: [], writes: new Map() });
  }

  endTurn(triggerId: string): void {
    this.#turns.delete(triggerId);
  }

  /** Whether the call may go on. If so it is registered at once, so that two equal writes cannot both pass. */
  allows(call: GuardedCall): boolean {
    const earlier = this.#repeated(call);
    const turn = this.#turn(call.triggerId);
    if (earlier) {
      // A cycle goes on through its refused call, as if that had brought nothing new: else it would only begin anew.
      const isCycle = call.effect === "read" && !unchangedThrice(turn.entries, call.key);
      if (isCycle && earlier.result) push(turn.entries, { ...call, result: earlier.result });
      return false;
    }
    const entry: Entry = { ...call, result: null };
    push(turn.entries, entry);
    if (call.effect === "write") turn.writes.set(call.key, entry);
    return true;
  }

  /** Why `allows` said no, with the result that the caller already has. Changes nothing. */
  refusalText(call: GuardedCall): string {
    const turn = this.#turns.get(call.triggerId);
    const earlier =
      call.effect === "write" ? turn?.writes.get(call.key) : turn?.entries.findLast((entry) => entry.key === call.key);
    const result = earlier?.result;
    if (!result) return `Refused: the same call of ${call.name} is running in this turn. Do not repeat it.`;
    const quoted = `Its result was: ${result.text}`;
    return call.effect === "write"
      ? `Refused: this turn made the same call of ${call.name} already, and a write runs once. ${quoted}`
      : `Refused: ${call.name} gave the same result again and again. End this turn, or wait before you ask again. ${quoted}`;
  }

  /** Takes a call back that was registered and never ran. */
  forget(call: GuardedCall): void {
    const turn = this.#turns.get(call.triggerId);
    if (!turn) return;
    turn.entries = turn.entries.filter((entry) => entry.callId !== call.callId);
    if (turn.writes.get(call.key)?.callId === call.callId) turn.writes.delete(call.key);
    // A late call of a turn that has ended leaves nothing behind.
    if (turn.entries.length === 0 && turn.writes.size === 0) this.#turns.delete(call.triggerId);
  }

  /** Notes what came of a registered call. */
  observe(call: GuardedCall, result: ObservedResult): void {
    const turn = this.#turns.get(call.triggerId);
    if (!turn) return;
    for (const entry of turn.entries) if (entry.callId === call.callId) entry.result = result;
    const write = turn.writes.get(call.key);
    if (write?.callId === call.callId) write.result = result;
  }

  #turn(triggerId: string): { entries: Entry[]; writes: Map<string, Entry> } {
    const turn = this.#turns.get(triggerId) ?? { entries: [], writes: new Map<string, Entry>() };
    this.#turns.set(triggerId, turn);
    return turn;
  }

  /** The earlier call that this one only repeats. */
  #repeated(call: GuardedCall): Entry | undefined {
    const turn = this.#turns.get(call.triggerId);
    if (!turn) return undefined;
    if (call.effect === "write") {
      const earlier = turn.writes.get(call.key);
      return earlier?.result?.outcome === "notDone" ? undefined : earlier;
    }
    return unchangedThrice(turn.entries, call.key) ?? cycleThrice(turn.entries, call.key);
  }
}

function push(entries: Entry[], entry: Entry): void {
  entries.push(entry);
  if (entries.length > kept) entries.shift();
}

/** Two entries of the same call whose results do not differ; one that runs is taken as unchanged. */
function unchanged(a: Entry, b: Entry): boolean {
  if (a.key !== b.key) return false;
  return a.result === null || b.result === null || a.result.text === b.result.text;
}

/** The call came three times in a row with the same result: the next would be the third unchanged one. */
function unchangedThrice(entries: readonly Entry[], key: string): Entry | undefined {
  const [a, b, c] = entries.slice(-3);
  if (!a || !b || !c || c.key !== key) return undefined;
  return unchanged(a, b) && unchanged(b, c) && unchanged(a, c) ? c : undefined;
}

/** The call would complete the third round of a cycle of 2 to 5 calls in which nothing changed. */
function cycleThrice(entries: readonly Entry[], key: string): Entry | undefined {
  for (let period = 2; period <= longestCycle; period += 1) {
    const rounds = entries.slice(-(period * 3 - 1));
    if (rounds.length < period * 3 - 1) continue;
    const same = rounds.every((entry, index) => {
      const before = rounds[index - period];
      return before === undefined || unchanged(before, entry);
    });
    const earlier = rounds[rounds.length - period];
    if (same && earlier?.key === key && new Set(rounds.map((entry) => entry.key)).size > 1) return earlier;
  }
  return undefined;
}

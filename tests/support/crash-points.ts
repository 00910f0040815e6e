import { setImmediate } from "node:timers/promises";
import type { Store } from "#lib/core/ports/store.ts";
import type { Change } from "#lib/core/ports/unit.ts";

/** Turns of the event loop between `before` and the kill: what began too early shows itself in them. */
const graceTurns = 20;

/**
 * The points of a process, counted by name: `before:result#2` is the second time that `before:result` is reached. At one
 * of them the process ends itself as `kill -9` does.
 *
 * - `before:UNIT` the unit is handed over, and not committed
 * - `halfway:UNIT` its first change was made in the open transaction
 * - `inside:UNIT` all its changes were, its events were not
 * - `after:UNIT` it is on disk, and whoever committed it has not heard
 * - `start:TOOL`, `done:TOOL` the tool was entered; its work is done, and nobody has the result
 * - `backend:start`, `backend:hang`, `backend:end` within a turn
 * - `told:REPORT` the outside has just been told so
 */
export class CrashPoints {
  readonly #kill: string | null;
  readonly #stalls: readonly string[];
  readonly #counts = new Map<string, number>();
  readonly #passed = new Map<string, PromiseWithResolvers<void>>();

  constructor(kill: string | null = null, stalls: readonly string[] = []) {
    this.#kill = kill;
    this.#stalls = stalls;
  }

  /** Counts a point and ends or hangs there, if it is the one. Where there is nothing to wait for it gives nothing. */
  reach(name: string): Promise<void> | undefined {
    const point = this.#count(name);
    this.#entry(point).resolve();
    if (this.#stalls.includes(point)) return new Promise(() => {});
    if (point !== this.#kill) return undefined;
    return name.startsWith("before:") ? dieSoon() : die();
  }

  /** Counts a point inside a unit. @returns whether the process has to end there. */
  isKilledInside(name: string): boolean {
    return this.#count(name) === this.#kill;
  }

  /** Resolves when the point was reached. */
  async passed(point: string): Promise<void> {
    await this.#entry(point).promise;
  }

  #count(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return `${name}#${count}`;
  }

  #entry(point: string): PromiseWithResolvers<void> {
    const known = this.#passed.get(point) ?? Promise.withResolvers<void>();
    this.#passed.set(point, known);
    return known;
  }
}

/** The same store, with the points of each unit around its commit. */
export function crashingStore(store: Store, points: CrashPoints): Store {
  return {
    ...store,
    async commit(unit) {
      const before = points.reach(`before:${unit.name}`);
      if (before) await before;
      let { changes } = unit;
      if (points.isKilledInside(`halfway:${unit.name}`)) changes = dyingAfter(changes, 1);
      if (points.isKilledInside(`inside:${unit.name}`)) changes = dyingAfter(changes, changes.length);
      const result = await store.commit(changes === unit.changes ? unit : { ...unit, changes });
      const after = result.committed ? points.reach(`after:${unit.name}`) : undefined;
      if (after) await after;
      return result;
    },
  };
}

/** The store makes the changes one after another, in one transaction: it ends when it asks for one more than `count`. */
function dyingAfter(changes: readonly Change[], count: number): readonly Change[] {
  function* dying(): Generator<Change> {
    yield* changes.slice(0, count);
    void die();
  }
  return Object.defineProperty([...changes], Symbol.iterator, { value: dying });
}

async function dieSoon(): Promise<void> {
  for (let turn = 0; turn < graceTurns; turn += 1) await setImmediate();
  await die();
}

function die(): Promise<never> {
  process.kill(process.pid, "SIGKILL");
  // The signal ends the process before it gets back here.
  throw new Error("kill -9 did not end this process");
}

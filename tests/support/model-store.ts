import { AppError } from "#lib/core/app-error.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { CommitResult, Unit } from "#lib/core/ports/unit.ts";
import { never } from "./model-outside.ts";

/** What happens to the process at one of its commits. */
export interface Fault {
  /** `killedBefore` and `killedAfter` a unit is on disk; `refused`: the record cannot be written just then. */
  kind: "killedBefore" | "killedAfter" | "refused";
  /** How many commits go well before. */
  after: number;
  /** How long a killed process is missed before the next one starts. */
  downMs: number;
}

/** Switches of a process's store. */
export class StoreControl {
  /** Operations that have no answer yet. */
  pending = 0;
  dead = false;
  downMs = 0;
  /** How many units were refused. */
  refused = 0;
  #fault: Fault | null = null;

  arm(fault: Fault): void {
    this.#fault = { ...fault };
  }

  disarm(): void {
    this.#fault = null;
  }

  /** The fault of this commit, if it is its turn. */
  next(): Fault["kind"] | null {
    if (this.#fault === null) return null;
    this.#fault.after -= 1;
    if (this.#fault.after >= 0) return null;
    const { kind } = this.#fault;
    this.downMs = this.#fault.downMs;
    this.#fault = null;
    return kind;
  }
}

/** The same store, for one process: it counts what is under way, and where the process is killed nothing ever answers. */
export function controlledStore(store: Store, control: StoreControl): Store {
  const operation =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (control.dead) return never();
      control.pending += 1;
      try {
        return await work(...given);
      } finally {
        control.pending -= 1;
        // A caller of a killed process gets neither a value nor an error.
        if (control.dead) await never();
      }
    };
  const commit = async (unit: Unit): Promise<CommitResult> => {
    const fault = control.next();
    if (fault === "refused") {
      control.refused += 1;
      throw new AppError("record_unavailable", "the disk is full, as the sequence says");
    }
    if (fault === "killedBefore") control.dead = true;
    if (control.dead) return never();
    const result = await store.commit(unit);
    if (fault === "killedAfter") control.dead = true;
    return result;
  };
  const entries = Object.entries(store).map(([name, work]) => [name, operation(work as () => Promise<unknown>)]);
  return { ...(Object.fromEntries(entries) as Store), commit: operation(commit), close: () => store.close() };
}

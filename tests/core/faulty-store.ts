import { AppError } from "#lib/core/app-error.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { Unit, UnitName } from "#lib/core/ports/unit.ts";

/** What happens to units on their way into the record. */
export interface Faults {
  /** The next units of these names are not written: each name fails once for each time that it stands here. */
  fail: UnitName[];
  /** Runs before each unit is written. */
  before: ((unit: Unit, store: Store) => Promise<void>) | null;
  /** The names of all units that were written or failed, in order. */
  asked: UnitName[];
}

/** A record in front of the real one that fails, or lets something else happen first, as a test wants it. */
export function faultyStore(): { faults: Faults; store: (real: Store) => Store } {
  const faults: Faults = { fail: [], before: null, asked: [] };
  const store = (real: Store): Store =>
    new Proxy(real, {
      get(target, property) {
        if (property !== "commit") {
          const value: unknown = Reflect.get(target, property);
          return typeof value === "function" ? value.bind(target) : value;
        }
        return async (unit: Unit) => {
          faults.asked.push(unit.name);
          await faults.before?.(unit, target);
          const at = faults.fail.indexOf(unit.name);
          if (at >= 0) {
            faults.fail.splice(at, 1);
            throw new AppError("record_unavailable", `the disk is full (${unit.name})`);
          }
          return target.commit(unit);
        };
      },
    });
  return { faults, store };
}

import { monotonicFactory } from "ulid";
import type { Ids } from "#lib/core/ports/ids.ts";
import type { Clock } from "#lib/core/ports/clock.ts";

/** Ids of this process: ULIDs that only grow, and numbers that follow the highest that the record has. */
export function recordIds(clock: Clock, highestRequestNumber: number): Ids {
  const ulid = monotonicFactory();
  let number = highestRequestNumber;
  return {
    next: () => ulid(clock.now()),
    nextRequestNumber: () => (number += 1),
  };
}

import type { Clock } from "#lib/core/ports/clock.ts";

export interface MarketTimeOptions {
  clock: Pick<Clock, "now">;
  /** When the replay began, in the clock's milliseconds. The same after a restart, so that the replay goes on. */
  epochMs: number;
  /** How long a day of the market takes on the clock, in milliseconds. */
  dayMs: number;
  /** Days that lie behind the market at the epoch; 21 where absent. */
  startDay?: number;
}

/** Where the replay stands. */
export interface MarketTime {
  /** Whole days since the first rate. It only grows, also when the rates go round. */
  day: number;
  /** How much of that day has passed, 0 up to 1. */
  fraction: number;
}

const standardStartDay = 21;

/** The market's time as a function of the clock. It stands still before the epoch. */
export function marketTime(options: MarketTimeOptions): MarketTime {
  const passedMs = Math.max(0, options.clock.now() - options.epochMs);
  const day = Math.floor(passedMs / options.dayMs);
  return {
    day: (options.startDay ?? standardStartDay) + day,
    fraction: (passedMs - day * options.dayMs) / options.dayMs,
  };
}

import type { Clock } from "#lib/core/ports/clock.ts";

/** The machine's clock. A delay of more than 24 days comes early, so nothing here waits that long. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

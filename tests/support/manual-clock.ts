import type { Clock } from "#lib/core/ports/clock.ts";

export interface ManualClock extends Clock {
  /** Moves the time on and calls back what has become due, in its order. */
  advance(ms: number): void;
  /** Sets the time, forwards or back, and calls nothing back. */
  set(time: string): void;
}

/** A clock that stands still until a test moves it. */
export function manualClock(start = "2026-09-08T14:00:00.000Z"): ManualClock {
  let now = Date.parse(start);
  let due: { at: number; callback: () => void }[] = [];
  return {
    now: () => now,
    after(delayMs, callback) {
      const entry = { at: now + delayMs, callback };
      due.push(entry);
      return () => {
        due = due.filter((other) => other !== entry);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = due.filter((entry) => entry.at <= end).toSorted((one, other) => one.at - other.at);
        if (next === undefined) break;
        due = due.filter((entry) => entry !== next);
        now = next.at;
        next.callback();
      }
      now = end;
    },
    set(time) {
      now = Date.parse(time);
    },
  };
}

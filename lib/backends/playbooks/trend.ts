import type { Backend } from "#lib/core/ports/backend.ts";
import { definePlaybook } from "#lib/backends/playbook.ts";
import { onAnswer } from "./trend/on-answer.ts";
import { onMessage } from "./trend/on-message.ts";
import { onOutcome } from "./trend/on-outcome.ts";
import { onSchedule } from "./trend/on-schedule.ts";

export interface TrendOptions {
  /** How long a day of the market takes, in milliseconds: it looks twice a day. */
  dayMs: number;
  /** What it trades, in the order in which it looks; EURUSD and USDJPY where absent. */
  symbols?: readonly string[];
  /** Units of each position; 100,000 where absent. */
  quantity?: string;
}

const firstLookAfterMs = 1_000;
const shortestLookMs = 5_000;

/**
 * `playbook:trend`: holds what is above its average of 15 days and is short of what is below. It asks for each order,
 * asks which stop to keep, and takes decisions, answers and a few plain words into account. All that it knows stands in
 * its notes, its account and its pending requests; nothing is remembered in memory.
 */
export function trendPlaybook(options: TrendOptions): Backend {
  const { symbols = ["EURUSD", "USDJPY"], quantity = "100000" } = options;
  return definePlaybook({
    name: "trend",
    schedule: {
      everyMs: Math.max(options.dayMs / 2, shortestLookMs),
      firstAfterMs: firstLookAfterMs,
      text: "Look at the market.",
    },
    onSchedule: (turn) => onSchedule(turn, { symbols, quantity }),
    onMessage: (turn) => onMessage(turn, { symbols }),
    onAnswer,
    onOutcome,
  });
}

import type { Direction, Side } from "./trend-signal.ts";

/** What a wait is about: an order of that side, or the question for a stop. */
export type WaitFor = Side | "stop";

/** What the playbook knows from its notes; it remembers nothing else. */
export interface TrendPlan {
  /** Trading is paused before this market day; Infinity until somebody says to go on; 0 where it is not paused. */
  pausedUntilDay: number;
  /** By `EURUSD sell`: the market day before which it does not ask again. */
  waits: ReadonlyMap<string, number>;
  /** By `EURUSD short`: the level, `none` where people want none; absent where none was chosen. */
  stops: ReadonlyMap<string, string>;
}

// The beginnings of notes, which `planOf` reads again. People's words only ever stand behind them, quoted.
export const noteBeginning = {
  wait: (symbol: string, what: WaitFor) => `Wait with ${symbol} ${what} until market day `,
  stop: (symbol: string, direction: Direction) => `Stop of ${symbol} ${direction}: `,
  paused: "Paused until ",
  goOn: "Go on.",
} as const;

const wait = /^Wait with (\S+ (?:buy|sell|stop)) until market day (\d+)\b/;
const stop = /^Stop of (\S+ (?:long|short)): (\d+(?:\.\d+)?|none|over)\b/;
const paused = /^Paused until (?:market day (\d+)|told)\b/;

/** Reads the notes, newest first: of each kind the newest counts. */
export function planOf(notes: readonly string[]): TrendPlan {
  const waits = new Map<string, number>();
  const stops = new Map<string, string>();
  let pausedUntilDay: number | undefined;
  for (const note of notes) {
    const [, waitKey, day] = wait.exec(note) ?? [];
    if (waitKey !== undefined && !waits.has(waitKey)) waits.set(waitKey, Number(day));
    const [, stopKey, level] = stop.exec(note) ?? [];
    if (stopKey !== undefined && level !== undefined && !stops.has(stopKey)) stops.set(stopKey, level);
    const pause = paused.exec(note);
    if (pause) pausedUntilDay ??= pause[1] === undefined ? Number.POSITIVE_INFINITY : Number(pause[1]);
    if (note.startsWith(noteBeginning.goOn)) pausedUntilDay ??= 0;
  }
  for (const [key, level] of stops) if (level === "over") stops.delete(key);
  return { pausedUntilDay: pausedUntilDay ?? 0, waits, stops };
}

/** Whether the playbook keeps off this, by its notes. */
export function keepsOff(plan: TrendPlan, symbol: string, what: WaitFor, marketDay: number): boolean {
  return (plan.waits.get(`${symbol} ${what}`) ?? 0) > marketDay;
}

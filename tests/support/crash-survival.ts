import { afterAll, expect } from "vitest";
import { brokenPromises } from "./crash-promises.ts";
import { allowedOrder, liveOn, removeCrashFolders, type Aftermath, type Remains } from "./crash-run.ts";
import type { Act } from "./crash-script.ts";

afterAll(removeCrashFolders);

/** For the tables: their rows live and die beside one another, on a machine that may have other work. */
export const sideBySide = { concurrent: true, timeout: 150_000 } as const;

/** How a record ends, in words: each list is oldest first, with commas. */
export interface End {
  /** Kind, state and how often it was run: `message done 2`. */
  turns: string;
  /** Tool and status: `place_order held`. */
  calls: string;
  /** Kind and state: `permission pending`. */
  requests: string;
  /** How many orders the ledger has. */
  orders: number;
}

/** One row of a table: where the process is killed, and how it all ends after the next start. */
export type Row = readonly [kill: string, end: End];

/** What happens after the last kill. */
export interface LastLife {
  acts?: readonly Act[];
  /** How far its clock is ahead of the first one's. */
  aheadMs?: number;
  /** Codes of what its callers are refused; nothing, where absent. */
  refused?: readonly string[];
}

/** Starts once more, and expects that every promise was kept and that all ends as it is said. */
export async function expectEnd(remains: Remains, end: End, last: LastLife = {}): Promise<Aftermath> {
  const aftermath = await liveOn(remains, last.acts ?? [], last.aheadMs ?? 0);
  const { triggers, calls, requests, orders } = aftermath.rows;
  const refused = aftermath.seen.at(-1)?.flatMap((report) => (report.report === "refused" ? [report.code] : []));
  expect({
    broken: brokenPromises(aftermath),
    refused,
    turns: triggers.map(({ kind, state, runs }) => `${kind} ${state} ${runs}`).join(", "),
    calls: calls.map(({ name, status }) => `${name} ${status}`).join(", "),
    requests: requests.map(({ kind, state }) => `${kind} ${state}`).join(", "),
    orders: orders.length,
  }).toEqual({ broken: [], refused: last.refused ?? [], ...end });
  return aftermath;
}

/** Makes it when it is first asked for, once for all rows that begin with it. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** Sends the desk what its backend is to do, a line a step. */
export function send(...lines: readonly string[]): Act {
  return { do: "send", text: lines.join("\n") };
}

export const rest: Act = { do: "rest" };

const otherArguments = '{"quantity":"3000","reduceOnly":false,"side":"buy","symbol":"EURUSD"}';

/** Lines for a backend: a read, a write that a rule allows, those that are held, and a question. */
export const lines = {
  read: 'get_quote {"symbol":"EURUSD"}',
  allowed: `place_order ${allowedOrder}`,
  held: 'place_order {"symbol":"EURUSD","side":"buy","quantity":"2000"}',
  other: `place_order ${otherArguments}`,
  otherArguments,
  ask: `ask_user ${JSON.stringify({
    questions: [
      {
        question: "Which stop?",
        header: "Stop",
        multiSelect: false,
        options: [
          { label: "Tight", description: "Close by." },
          { label: "Wide", description: "Far off." },
        ],
      },
    ],
  })}`,
  done: "say Done.",
} as const;

import * as fc from "fast-check";
import { hows, type How } from "./model-outside.ts";
import type { ModelStep } from "./model-backend.ts";
import type { Fault } from "./model-store.ts";

/** Whose decision, and on what: `pick` chooses among what waits. */
export interface DecisionAction {
  do: "decide";
  pick: number;
  how: "approve" | "deny" | "edit" | "editWrongly" | "stale";
  by: string;
  /** How long they take: too long for the hold's expiry, at times, and no sweep comes before. */
  lateMs: number;
  /** What is decided at the same moment: the same once more, by another person otherwise, or all that waits. */
  beside: "nobody" | "again" | "rival" | "all";
}

/** What a person, the time, a tool or the machine does next. */
export type ModelAction = (
  | { do: "message"; desk: number; steps: ModelStep[] }
  | DecisionAction
  | { do: "answer"; pick: number; how: "option" | "other" | "both" | "nothing"; by: string }
  | { do: "dismiss"; pick: number; by: string }
  | { do: "resolve"; pick: number; outcome: "ran" | "didNotRun" | "runAgain"; by: string }
  | { do: "stop"; desk: number; all: boolean }
  | { do: "pause" | "resume"; desk: number }
  | { do: "addRule"; tool: string; verdict: "allow" | "hold" | "deny"; desk: number | null }
  | { do: "removeRule"; pick: number }
  | { do: "time"; ms: number; sweep: boolean }
  | { do: "release"; pick: number; how: How }
  | { do: "releaseModels" }
  | { do: "restart"; how: "killed" | "graceful"; downMs: number; fault: Fault | null }
  | { do: "fault"; fault: Fault }
) & {
  /** Whether what follows from it goes on to its end before the next action begins. */
  settle: boolean;
};

const pick = fc.nat({ max: 5 });
const by = fc.constantFrom("ann", "bob");
const how = fc.oneof(
  { weight: 5, arbitrary: fc.constant<How>("done") },
  { weight: 3, arbitrary: fc.constant<How>("hang") },
  { weight: 3, arbitrary: fc.constantFrom(...hows) },
);

const order = fc.record({
  name: fc.constant("place_order"),
  arguments: fc.record(
    {
      symbol: fc.constantFrom("EURUSD", "GBPUSD"),
      quantity: fc.constantFrom("1", "1.0", 2, "5"),
      how,
      facts: fc.constantFrom("known", "known", "known", "known", "throw", "hang"),
    },
    { requiredKeys: ["symbol", "quantity"] },
  ),
});
const cancel = fc.record({
  name: fc.constant("cancel_orders"),
  arguments: fc.record({ id: fc.constantFrom("o1", "o2"), how }, { requiredKeys: ["id"] }),
});
const quote = fc.record({
  name: fc.constant("get_quote"),
  arguments: fc.record({ symbol: fc.constant("EURUSD"), how }),
});
const question = fc.record({
  name: fc.constant("ask_user"),
  arguments: fc.record({
    questions: fc.constantFrom(...[1, 2].map((count) => [1, 2].slice(0, count).map((number) => questionOf(number)))),
  }),
});
const wrong = fc.constantFrom(
  { name: "place_ordr", arguments: {} },
  { name: "place_order", arguments: { symbol: "EURUSD" } },
  { name: "place_order", arguments: { symbol: "EURUSD", quantity: "1", price: "2" } },
  { name: "cancel_orders", arguments: null },
  { name: "ask_user", arguments: { questions: [] } },
);

const ask = fc.oneof(
  { weight: 5, arbitrary: order },
  { weight: 4, arbitrary: cancel },
  { weight: 2, arbitrary: quote },
  { weight: 2, arbitrary: question },
  { weight: 1, arbitrary: wrong },
);

const step: fc.Arbitrary<ModelStep> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom("call" as const, "call" as const, "start" as const, "twice" as const),
      ask,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("say" as const), text: fc.string({ maxLength: 8 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fail" as const),
      kind: fc.constantFrom("overloaded" as const, "broken_stream" as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "hang" as const }) },
);

const steps = fc.array(step, { minLength: 1, maxLength: 5 });
const downMs = fc.constantFrom(0, 0, 0, 61_000, 16 * 60_000);
const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom("killedBefore" as const, "killedAfter" as const, "refused" as const),
  after: fc.nat({ max: 8 }),
  downMs,
});

const settle = fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const desk = fc.nat({ max: 1 });
const own = <D extends string>(...names: D[]) => fc.constantFrom(...names);

const people: { weight: number; arbitrary: fc.Arbitrary<ModelAction> }[] = [
  { weight: 14, arbitrary: fc.record({ do: own("message"), desk, steps, settle }) },
  {
    weight: 16,
    arbitrary: fc.record({
      do: own("decide"),
      pick,
      how: fc.constantFrom(
        "approve" as const,
        "approve" as const,
        "approve" as const,
        "deny" as const,
        "edit" as const,
        "editWrongly" as const,
        "stale" as const,
      ),
      by,
      lateMs: fc.oneof(
        { weight: 8, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.constant(14 * 60_000) },
        { weight: 1, arbitrary: fc.constant(16 * 60_000) },
      ),
      beside: fc.constantFrom("nobody" as const, "nobody" as const, "again" as const, "rival" as const, "all" as const),
      settle,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: own("answer"),
      pick,
      how: fc.constantFrom("option" as const, "other" as const, "both" as const, "nothing" as const),
      by,
      settle,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: own("dismiss"), pick, by, settle }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: own("resolve"),
      pick,
      outcome: fc.constantFrom("ran" as const, "didNotRun" as const, "runAgain" as const),
      by,
      settle,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: own("stop"), desk, all: fc.boolean(), settle }) },
  { weight: 1, arbitrary: fc.record({ do: own("pause"), desk, settle }) },
  { weight: 2, arbitrary: fc.record({ do: own("resume"), desk, settle }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: own("addRule"),
      tool: fc.constantFrom("place_order", "cancel_orders", "get_quote", "*"),
      verdict: fc.constantFrom("allow" as const, "allow" as const, "hold" as const, "deny" as const),
      desk: fc.option(desk, { nil: null }),
      settle,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: own("removeRule"), pick, settle }) },
];

const world: { weight: number; arbitrary: fc.Arbitrary<ModelAction> }[] = [
  {
    weight: 4,
    arbitrary: fc.record({
      do: own("time"),
      ms: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(2_100, 31_000, 61_000) },
        { weight: 1, arbitrary: fc.constantFrom(16 * 60_000, 25 * 60 * 60_000) },
      ),
      sweep: fc.boolean(),
      settle,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: own("release"), pick, how, settle }) },
  { weight: 3, arbitrary: fc.record({ do: own("releaseModels"), settle }) },
];

const machine: { weight: number; arbitrary: fc.Arbitrary<ModelAction> }[] = [
  {
    weight: 3,
    arbitrary: fc.record({
      do: own("restart"),
      how: fc.constantFrom("killed" as const, "killed" as const, "graceful" as const),
      downMs,
      fault: fc.option(fault, { nil: null }),
      settle: fc.constant(true),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: own("fault"), fault, settle: fc.constant(false) }) },
];

/** Three orders that are held and approved at once: the first hangs, and the others wait for their turn behind it. */
const queue: ModelAction[] = [
  {
    do: "message",
    desk: 0,
    steps: ["1", "2", "5"].map((quantity): ModelStep => {
      const ending: How = quantity === "1" ? "hang" : "done";
      return { do: "call", ask: { name: "place_order", arguments: { symbol: "EURUSD", quantity, how: ending } } };
    }),
    settle: true,
  },
  { do: "decide", pick: 0, how: "approve", by: "ann", lateMs: 0, beside: "all", settle: true },
];

/** It begins with a message to each desk, or with approved calls that wait; shrinking may take them away. */
function sequence(...actions: { weight: number; arbitrary: fc.Arbitrary<ModelAction> }[]) {
  const messages = fc.tuple(
    ...[0, 1].map((to) => fc.record({ do: own("message"), desk: fc.constant(to), steps, settle })),
  );
  const begin: fc.Arbitrary<ModelAction[]> = fc.oneof(messages, fc.constant(queue));
  const rest = fc.array(fc.oneof(...actions), { minLength: 10, maxLength: 30, size: "max" });
  return fc.tuple(begin, rest).map(([first, then]): ModelAction[] => [...first, ...then]);
}

/** Sequences of what people, time and tools do. */
export const calmSequence = sequence(...people, ...world);

/** The same, on a machine that fails: processes are killed at any of their commits, and the disk is full at times. */
export const roughSequence = sequence(...people, ...world, ...machine);

/** What the turns do that no message starts. */
export const followUp = fc.oneof(
  { weight: 3, arbitrary: fc.constant<ModelStep[]>([]) },
  { weight: 1, arbitrary: fc.array(step, { maxLength: 2 }) },
);

function questionOf(number: number) {
  return {
    question: `Which stop, number ${number}?`,
    header: "Stop",
    multiSelect: number === 2,
    options: [
      { label: "near", description: "1.15" },
      { label: "far", description: "1.12" },
    ],
  };
}

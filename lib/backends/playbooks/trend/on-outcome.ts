import { parseObject } from "#lib/core/canonical.ts";
import type { OutcomeData } from "#lib/core/outcome-data.ts";
import type { BackendTurn } from "#lib/core/ports/backend.ts";
import { quoted } from "#lib/core/request-texts.ts";
import { noteBeginning } from "./trend-notes.ts";
import {
  askForStop,
  directionOfArgs,
  keepOff,
  marketOf,
  orderOf,
  orderWords,
  positionIn,
  questionSubject,
  viewOf,
  type TrendView,
} from "./trend-turn.ts";

type Order = ReturnType<typeof orderOf>;

/** Reacts to what became of an order or of a question. */
export async function onOutcome(turn: BackendTurn, outcome: OutcomeData): Promise<void> {
  const view = await viewOf(turn);
  const args = parseObject(outcome.arguments);
  if (outcome.tool === "place_order") await onOrder(view, outcome, orderOf(args));
  else if (outcome.tool === "ask_user") await onQuestion(view, outcome, questionSubject(args));
  else await turn.say(`${outcome.label} (${outcome.tool}) is ${outcome.state}; I go on as before.`);
}

async function onOrder(view: TrendView, outcome: OutcomeData, order: Order): Promise<void> {
  const { turn } = view;
  const { label, state, note } = outcome;
  const by = outcome.by ?? "nobody";
  const words = note ? ` with the words ${quoted(note)}` : "";
  const result = outcome.resultText === null ? "" : ` The result: ${quoted(outcome.resultText)}`;
  const what = orderWords(order);
  const subject = { symbol: order.symbol, what: order.side };
  switch (state) {
    case "completed":
      await onRun(view, order, `${label} was approved by ${by}${words}.${result}`);
      return;
    case "denied": {
      const said = `${by} denied ${label} (${what})${words || ", without a word"}. I take that into account.`;
      await keepOff(view, subject, { said, noted: `${by} denied ${label}`, words: note });
      return;
    }
    case "expired": {
      const said = `${label} (${what}) expired: nobody decided in time, and it did not run.`;
      await keepOff(view, subject, { said, noted: `${label} expired`, words: null });
      return;
    }
    case "failed": {
      const said = `${label} (${what}) was approved by ${by}${words}, but did not take effect.${result}`;
      await keepOff(view, subject, { said, noted: `${label} failed`, words: null });
      return;
    }
    case "voided":
      await turn.say(`${label} (${what}) could not start after its approval and waits again.`);
      return;
    case "uncertain":
      await turn.say(
        `Nobody knows yet whether ${label} (${what}) was filled. I leave ${order.symbol} alone until someone has looked.`,
      );
      return;
    case "resolved":
      await onResolved(view, outcome, order, `${by} looked at ${label} (${what})${words}`);
      return;
    case "settled":
      await onRun(view, order, `The result of ${label} (${what}) came late.${result}`);
      return;
    case "dismissed":
      return;
  }
}

async function onResolved(view: TrendView, outcome: OutcomeData, order: Order, said: string): Promise<void> {
  const result = outcome.resultText === null ? "" : ` The result: ${quoted(outcome.resultText)}`;
  if (outcome.resolution === "didNotRun") await view.turn.say(`${said}: it was not filled.`);
  else if (outcome.resolution === "ran") await onRun(view, order, `${said}: it was filled.`);
  else await onRun(view, order, `${said} and had it run again.${result}`);
}

/** After a fill: asks for the stop of what was opened, or keeps from opening again at once what was closed. */
async function onRun(view: TrendView, order: Order, said: string): Promise<void> {
  const { calls, turn } = view;
  const { symbol } = order;
  const direction = directionOfArgs(order);
  const position = positionIn(view, symbol);
  if (!order.reduceOnly) {
    if (!calls.hasMade("ask_user")) await turn.say(said);
    if (position)
      await askForStop(view, { ...order, direction, quantity: position.quantity }, await marketOf(calls, symbol));
    return;
  }
  if (position) {
    await turn.say(said);
    return;
  }
  const over = noteBeginning.stop(symbol, direction);
  if (view.plan.stops.has(`${symbol} ${direction}`)) await calls.writeNote(`${over}over. The position is closed.`);
  const reopening = direction === "long" ? "buy" : "sell";
  await keepOff(view, { symbol, what: reopening }, { said, noted: "The position was closed", words: null });
}

async function onQuestion(
  view: TrendView,
  outcome: OutcomeData,
  subject: { symbol: string; direction: "long" | "short" } | null,
): Promise<void> {
  if (!subject) return;
  const by = outcome.by ?? "nobody";
  const words = outcome.note ? ` with the words ${quoted(outcome.note)}` : "";
  const end = outcome.state === "dismissed" ? `was dismissed by ${by}${words}` : `expired, and nobody answered`;
  const said = `${outcome.label} (the ${subject.symbol} stop) ${end}. I go on without a stop.`;
  const noted = `${outcome.label} has no answer`;
  await keepOff(view, { symbol: subject.symbol, what: "stop" }, { said, noted, words: outcome.note });
}

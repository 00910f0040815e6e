import type { BackendTurn } from "#lib/core/ports/backend.ts";
import { quoted } from "#lib/core/request-texts.ts";
import type { TrendOrder, TrendQuote } from "./trend-calls.ts";
import { keepsOff, noteBeginning } from "./trend-notes.ts";
import {
  averageDays,
  closingSide,
  decimalsOf,
  directionOf,
  isThrough,
  openingSide,
  type Trend,
} from "./trend-signal.ts";
import {
  askForStop,
  directionOfArgs,
  keepOff,
  marketOf,
  orderOf,
  orderWords,
  pendingOrders,
  positionIn,
  positionWords,
  viewOf,
  type TrendView,
} from "./trend-turn.ts";

interface Market {
  quote: TrendQuote;
  trend: Trend;
}

/** Looks at each symbol, and asks for at most one order: the rest has time until the next look. */
export async function onSchedule(
  turn: BackendTurn,
  options: { symbols: readonly string[]; quantity: string },
): Promise<void> {
  const view = await viewOf(turn);
  for (const symbol of options.symbols) {
    const market = await marketOf(view.calls, symbol);
    const waiting = pendingOrders(view, symbol);
    // Until somebody has said what became of it, nobody knows what is held.
    if (waiting.some(({ kind }) => kind === "uncertain")) continue;
    const held = waiting[0];
    if (held) {
      const order = orderOf(held.arguments);
      if (!order.reduceOnly) await askForStop(view, { ...order, direction: directionOfArgs(order) }, market);
      continue;
    }
    if (await act(view, symbol, market, options.quantity)) return;
  }
}

/** Asks for what the symbol needs now. True where that was an order. */
async function act(view: TrendView, symbol: string, market: Market, quantity: string): Promise<boolean> {
  // A turn that was interrupted has asked for its order.
  if (view.calls.hasMade("place_order")) return true;
  const isPaused = view.plan.pausedUntilDay > market.quote.marketDay;
  const position = positionIn(view, symbol);
  if (!position) {
    const { direction } = market.trend;
    // One new position at a time: who decides can see what it does before the next is asked for.
    if (isPaused || direction === null || pendingOrders(view).length > 0) return false;
    const order = { symbol, side: openingSide(direction), quantity, reduceOnly: false };
    const why = `${trendWords(market)} I hold nothing in it, so I ask to ${orderWords(order)} at the market.`;
    if (!(await ask(view, order, market, why))) return false;
    await askForStop(view, { symbol, direction, quantity }, market);
    return true;
  }
  const direction = directionOf(position.quantity);
  const order = {
    symbol,
    side: closingSide(direction),
    quantity: position.quantity.replace("-", ""),
    reduceOnly: true,
  };
  const stop = view.plan.stops.get(`${symbol} ${direction}`);
  if (stop !== undefined && stop !== "none" && isThrough(stop, market.quote.mid, direction)) {
    const why = `${symbol} is at ${market.quote.mid}, through its stop of ${stop}. I am ${positionWords(position)} and ask to close it at the market.`;
    return await ask(view, order, market, why);
  }
  if (isPaused) return false;
  if (market.trend.direction !== null && market.trend.direction !== direction) {
    const why = `${trendWords(market)} I am ${positionWords(position)}, against it, and ask to close it at the market.`;
    return await ask(view, order, market, why);
  }
  await askForStop(view, { symbol, direction, quantity: position.quantity }, market);
  return false;
}

/** Says why and asks for an order, unless people want to be left alone with it. True where it was asked for. */
async function ask(view: TrendView, order: Omit<TrendOrder, "note">, { quote }: Market, why: string): Promise<boolean> {
  const { calls, plan, turn } = view;
  if (keepsOff(plan, order.symbol, order.side, quote.marketDay)) return false;
  const direction = directionOfArgs(order);
  if (!order.reduceOnly) await forgetStop(view, order.symbol, direction);
  await calls.showChart(order.symbol, averageDays);
  await turn.say(why);
  const answer = await calls.order({ ...order, note: why });
  if (answer.isError) {
    const said = `I cannot ${orderWords(order)}: ${quoted(answer.text)}.`;
    await keepOff(
      view,
      { symbol: order.symbol, what: order.side },
      { said, noted: "The order was refused", words: null },
    );
  } else if (answer.status === "succeeded") {
    await turn.say(`A rule allowed it. ${quoted(answer.text)}`);
  }
  return !answer.isError;
}

/** A stop that was chosen for an earlier position is not one for the next. */
async function forgetStop(view: TrendView, symbol: string, direction: "long" | "short"): Promise<void> {
  const key = `${symbol} ${direction}`;
  if (!view.plan.stops.has(key)) return;
  await view.calls.writeNote(`${noteBeginning.stop(symbol, direction)}over. A new position begins.`);
  view.plan = { ...view.plan, stops: new Map([...view.plan.stops].filter(([other]) => other !== key)) };
}

function trendWords({ quote, trend }: Market): string {
  const { average, distancePercent } = trend;
  const where = distancePercent.isNegative() ? "below" : "above";
  const way = trend.direction === "short" ? "down" : "up";
  const level = average.toFixed(decimalsOf(quote.mid));
  return `${quote.symbol} is at ${quote.mid}, ${distancePercent.abs().toFixed(2)} % ${where} its average of ${averageDays} days, ${level}: the trend is ${way}.`;
}

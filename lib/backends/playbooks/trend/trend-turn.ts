import { z } from "zod";
import { cutText } from "#lib/core/canonical.ts";
import type { BackendTurn, PendingRequest } from "#lib/core/ports/backend.ts";
import { quoted } from "#lib/core/request-texts.ts";
import { groupedDecimal } from "#lib/protocol/decimal.ts";
import { limits } from "#lib/protocol/limits.ts";
import { timeIn } from "./plain-words.ts";
import { stopQuestion, subjectOfQuestion } from "./stop-question.ts";
import { TrendCalls, type TrendAccount, type TrendOrder, type TrendPosition, type TrendQuote } from "./trend-calls.ts";
import { keepsOff, noteBeginning, planOf, type TrendPlan, type WaitFor } from "./trend-notes.ts";
import { averageDays, directionOf, directionOfOrder, trendOf, type Direction, type Trend } from "./trend-signal.ts";

/** Days of the market for which it keeps off something that people denied, dismissed or let expire. */
export const quietDays = 3;

/** What the playbook knows at the beginning of a turn, all of it read afresh. */
export interface TrendView {
  calls: TrendCalls;
  turn: BackendTurn;
  plan: TrendPlan;
  account: TrendAccount;
}

export async function viewOf(turn: BackendTurn): Promise<TrendView> {
  const calls = new TrendCalls(turn);
  const plan = planOf(await calls.notes());
  return { calls, turn, plan, account: await calls.account() };
}

/** The position in a symbol that is held now. */
export function positionIn(view: TrendView, symbol: string): TrendPosition | undefined {
  return view.account.positions.find((position) => position.symbol === symbol);
}

/** Orders of the desk that wait for a person, or whose outcome is not known. */
export function pendingOrders(view: TrendView, symbol?: string): PendingRequest[] {
  return view.turn.pendingRequests.filter(
    ({ tool, arguments: args }) => tool === "place_order" && (symbol === undefined || args["symbol"] === symbol),
  );
}

/** Questions of the desk that wait for a person. */
export function pendingQuestions(view: TrendView): PendingRequest[] {
  return view.turn.pendingRequests.filter(({ kind }) => kind === "question");
}

/** The price of a symbol and its trend. */
export async function marketOf(calls: TrendCalls, symbol: string): Promise<{ quote: TrendQuote; trend: Trend }> {
  const quote = await calls.quote(symbol);
  return { quote, trend: trendOf(await calls.closes(symbol, averageDays), quote.mid) };
}

/**
 * Asks which stop to use for a position, or for one whose order waits, unless a stop was chosen, a question waits, this
 * turn asked already, or people want to be left alone with it.
 */
export async function askForStop(
  view: TrendView,
  subject: { symbol: string; direction: Direction; quantity: string },
  market: { quote: TrendQuote; trend: Trend },
): Promise<void> {
  const { calls, plan } = view;
  const { symbol, direction } = subject;
  if (plan.stops.has(`${symbol} ${direction}`) || pendingQuestions(view).length > 0 || calls.hasMade("ask_user"))
    return;
  if (keepsOff(plan, symbol, "stop", market.quote.marketDay)) return;
  await calls.ask(
    stopQuestion({
      ...subject,
      quantity: subject.quantity.replace("-", ""),
      price: market.quote.mid,
      trend: market.trend,
    }),
  );
}

const orderSchema = z.object({
  symbol: z.string().catch("?"),
  side: z.enum(["buy", "sell"]).catch("buy"),
  quantity: z.string().catch("?"),
  reduceOnly: z.boolean().catch(false),
});

/** The order in the arguments of a request. */
export function orderOf(args: PendingRequest["arguments"]): Omit<TrendOrder, "note"> {
  return orderSchema.parse(args);
}

/** An order in words: `sell 100,000 EURUSD`. */
export function orderWords({ side, quantity, symbol }: Pick<TrendOrder, "side" | "quantity" | "symbol">): string {
  return `${side} ${groupedDecimal(quantity)} ${symbol}`;
}

/** A position in words: `short 100,000 EURUSD`. */
export function positionWords({ symbol, quantity }: Pick<TrendPosition, "symbol" | "quantity">): string {
  return `${directionOf(quantity)} ${groupedDecimal(quantity.replace("-", ""))} ${symbol}`;
}

/**
 * Keeps off something for a while and says so, once: until the time that people's words name, else for some days.
 * @param reason what to say before it, a whole sentence.
 */
export async function keepOff(
  view: TrendView,
  subject: { symbol: string; what: WaitFor },
  reason: { said: string; noted: string; words: string | null },
): Promise<void> {
  const { calls, turn } = view;
  const { symbol, what } = subject;
  const beginning = noteBeginning.wait(symbol, what);
  if (calls.hasNoted(beginning)) return;
  const quote = await calls.quote(symbol);
  const named = reason.words === null ? null : timeIn(reason.words, quote.marketTime);
  const day = quote.marketDay + (named?.days ?? quietDays);
  const asked = what === "stop" ? `about the ${symbol} stop` : `to ${what} ${symbol}`;
  const until = named ? `before ${named.name}, by the market's calendar` : `for ${quietDays} days of the market`;
  await turn.say(`${reason.said} I do not ask ${asked} again ${until}.`);
  const words = reason.words === null ? "" : ` Words: ${quoted(reason.words)}`;
  await calls.writeNote(cutText(`${beginning}${day}. ${reason.noted}.${words}`, limits.noteCharacters));
}

/** What a question that waits, or was decided, asked about. */
export function questionSubject(args: PendingRequest["arguments"]): { symbol: string; direction: Direction } | null {
  const questions = args["questions"];
  const first = Array.isArray(questions) ? questions[0] : undefined;
  const text = typeof first === "object" && first !== null && !Array.isArray(first) ? first["question"] : undefined;
  return typeof text === "string" ? subjectOfQuestion(text) : null;
}

/** The direction that an order is about: what it opens, or what it closes. */
export function directionOfArgs(order: Omit<TrendOrder, "note">): Direction {
  return directionOfOrder(order.side, order.reduceOnly);
}

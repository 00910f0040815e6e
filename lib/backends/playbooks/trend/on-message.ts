import { cutText } from "#lib/core/canonical.ts";
import type { BackendTurn } from "#lib/core/ports/backend.ts";
import { quoted } from "#lib/core/request-texts.ts";
import { groupedDecimal } from "#lib/protocol/decimal.ts";
import { timeIn, wishIn } from "./plain-words.ts";
import type { TrendQuote } from "./trend-calls.ts";
import { noteBeginning } from "./trend-notes.ts";
import { directionOf } from "./trend-signal.ts";
import {
  orderOf,
  orderWords,
  positionIn,
  positionWords,
  questionSubject,
  viewOf,
  type TrendView,
} from "./trend-turn.ts";

const understood = 'I understand "status", "hold off" (also "until Friday" or "for 3 days") and "go on".';

/** Answers a person: what it holds, what waits and what it plans; holds off, and goes on again. */
export async function onMessage(turn: BackendTurn, options: { symbols: readonly string[] }): Promise<void> {
  const { text } = turn.trigger;
  const view = await viewOf(turn);
  const quote = await view.calls.quote(options.symbols[0] ?? "EURUSD");
  switch (wishIn(text)) {
    case "pause":
      await holdOff(view, quote);
      return;
    case "goOn":
      if (view.calls.hasNoted(noteBeginning.goOn)) return;
      await turn.say("I go on: at my next look at the market I ask for what the trend wants.");
      await view.calls.writeNote(`${noteBeginning.goOn} ${whose(turn)}`);
      return;
    case "status":
      await turn.say(statusWords(view, quote, options.symbols));
      return;
    case "unknown":
      await turn.say(
        `I am a playbook and cannot make out ${quoted(text)}. ${understood}\n${statusWords(view, quote, options.symbols)}`,
      );
      return;
  }
}

async function holdOff(view: TrendView, quote: TrendQuote): Promise<void> {
  const { calls, turn } = view;
  if (calls.hasNoted(noteBeginning.paused)) return;
  const named = timeIn(turn.trigger.text, quote.marketTime);
  const until = named ? `until ${named.name}, by the market's calendar` : 'until you write "go on"';
  const waits =
    turn.pendingRequests.length > 0 ? ` What waits already stays yours to decide: ${waitingWords(view)}` : "";
  await turn.say(`I hold off ${until}. Till then I only ask to close what goes through its stop.${waits}`);
  const when = named ? `market day ${quote.marketDay + named.days}` : "told";
  await calls.writeNote(`${noteBeginning.paused}${when}. ${whose(turn)}`);
}

function whose(turn: BackendTurn): string {
  return `Words of ${turn.trigger.from}: ${quoted(cutText(turn.trigger.text, 500))}`;
}

function statusWords(view: TrendView, quote: TrendQuote, symbols: readonly string[]): string {
  const { account } = view;
  return [
    ...symbols.map((symbol) => holdingWords(view, symbol)),
    `Cash ${groupedDecimal(account.cashUsd)} USD, equity ${groupedDecimal(account.equityUsd)} USD.`,
    `Waiting: ${waitingWords(view)}`,
    `Plan: ${planWords(view, quote)}`,
  ].join("\n");
}

function holdingWords(view: TrendView, symbol: string): string {
  const position = positionIn(view, symbol);
  if (!position) return `${symbol}: nothing held.`;
  const stop = view.plan.stops.get(`${symbol} ${directionOf(position.quantity)}`);
  const stopWords = stop === undefined || stop === "none" ? "no stop" : `stop ${stop}`;
  return `${symbol}: ${positionWords(position)} from ${position.averagePrice}, now ${position.price} (replayed), open profit ${groupedDecimal(position.openProfitUsd)} USD, ${stopWords}.`;
}

function waitingWords(view: TrendView): string {
  const waiting = view.turn.pendingRequests.map(({ label, kind, tool, arguments: args }) => {
    if (kind === "question") return `${label}, a question about ${questionSubject(args)?.symbol ?? "something"}`;
    const what = tool === "place_order" ? orderWords(orderOf(args)) : tool;
    return kind === "uncertain" ? `${label}, whether "${what}" took effect` : `${label}, to ${what}`;
  });
  return waiting.length === 0 ? "nothing." : `${waiting.join("; ")}.`;
}

function planWords(view: TrendView, quote: TrendQuote): string {
  const { pausedUntilDay, waits } = view.plan;
  if (pausedUntilDay === Number.POSITIVE_INFINITY) return 'I hold off until you write "go on".';
  if (pausedUntilDay > quote.marketDay)
    return `I hold off for ${pausedUntilDay - quote.marketDay} more days of the market.`;
  const off = [...waits].flatMap(([key, day]) =>
    day > quote.marketDay ? [`${key} for ${day - quote.marketDay} more days of the market`] : [],
  );
  const keepingOff = off.length === 0 ? "" : ` I keep off: ${off.join("; ")}.`;
  return `I follow the trend of the average, one new position at a time, and close what is against it or through its stop.${keepingOff}`;
}

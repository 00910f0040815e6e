import { Decimal } from "decimal.js";
import type { QuestionDraft } from "#lib/core/question-draft.ts";
import { groupedDecimal } from "#lib/protocol/decimal.ts";
import { decimalsOf, isThrough, type Direction, type Trend } from "./trend-signal.ts";

/** What a stop is to be chosen for. */
export interface StopSubject {
  symbol: string;
  direction: Direction;
  /** Units, without a sign. */
  quantity: string;
  price: string;
  trend: Trend;
}

const choices = [
  { word: "Tight", days: 1, meaning: "One average day against it. Small losses, and it is often stopped out." },
  { word: "Middle", days: 2, meaning: "Two average days against it." },
  {
    word: "Wide",
    days: 3,
    meaning: "Three average days against it. Rarely stopped out, and it costs more when it is.",
  },
] as const;

/** The question which stop to use, with a table of levels beside each choice. */
export function stopQuestion(subject: StopSubject): QuestionDraft {
  const levels = choices.map(({ word, days }) => ({ word, level: levelOf(subject, days) }));
  return {
    question: `${subject.symbol} ${subject.direction}: which stop should I keep?`,
    header: `Stop ${subject.symbol}`.slice(0, 12),
    options: choices.map(({ word, days, meaning }) => ({
      label: `${word} at ${levelOf(subject, days)}`,
      description: meaning,
      preview: preview(subject, levels, word),
    })),
    multiSelect: false,
  };
}

/** What a question of `stopQuestion` was about; null where it is another. */
export function subjectOfQuestion(question: string): { symbol: string; direction: Direction } | null {
  const match = /^(\S+) (long|short): which stop should I keep\?$/.exec(question);
  if (!match) return null;
  return { symbol: match[1] ?? "", direction: match[2] === "long" ? "long" : "short" };
}

/** The level in a chosen label. */
export function levelOfLabel(label: string): string | null {
  return / at (\d+(?:\.\d+)?)$/.exec(label)?.[1] ?? null;
}

export type StopWords = { stop: string } | { stop: "none" } | { stop: null; why: string };

/**
 * What people's own words say about the stop: its level is the first number in them. It has to lie on the losing side,
 * within a fifth of the price.
 */
export function stopInWords(words: string, price: string, direction: Direction): StopWords {
  const number = /(?<![\d.,])\d+(?:\.\d+)?(?!\d|[.,]\d)/.exec(words)?.[0];
  if (number === undefined) {
    if (/\b(?:no|none|without)\b/i.test(words)) return { stop: "none" };
    return { stop: null, why: "I find no level in it" };
  }
  if (isThrough(number, price, direction)) return { stop: null, why: `${number} is on the wrong side of ${price}` };
  if (new Decimal(number).div(price).minus(1).abs().gt("0.2")) {
    return { stop: null, why: `${number} is more than a fifth away from ${price}` };
  }
  return { stop: number };
}

function levelOf({ direction, price, trend }: StopSubject, days: number): string {
  const distance = trend.dailyMove.times(days);
  const level = direction === "long" ? new Decimal(price).minus(distance) : new Decimal(price).plus(distance);
  return level.toFixed(decimalsOf(price));
}

function preview(subject: StopSubject, levels: readonly { word: string; level: string }[], chosen: string): string {
  const { symbol, quantity, price, trend } = subject;
  const rows = levels.map(({ word, level }) => {
    const percent = new Decimal(level).div(price).minus(1).times(100);
    const mark = word === chosen ? `**${word}**` : word;
    return `| ${mark} | ${level} | ${percent.isNegative() ? "" : "+"}${percent.toFixed(2)} % | ${lossUsd(subject, level)} USD |`;
  });
  return [
    `| stop | level | from ${price} | loss on ${groupedDecimal(quantity)} |`,
    "|---|---:|---:|---:|",
    ...rows,
    "",
    `${symbol} moves by ${trend.dailyMove.toFixed(decimalsOf(price))} on an average day. Prices are replayed, simulated within the day.`,
  ].join("\n");
}

function lossUsd({ symbol, quantity, price }: StopSubject, level: string): string {
  const loss = new Decimal(level).minus(price).abs().times(quantity);
  return groupedDecimal((symbol.startsWith("USD") ? loss.div(level) : loss).toFixed(2));
}

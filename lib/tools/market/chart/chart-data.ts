import { Decimal } from "decimal.js";
import type { DailyClose, Market } from "#lib/tools/market/market.ts";

/** What a chart shows. Plain data: it goes to another thread. Prices are decimal text with the pair's decimals. */
export interface ChartData {
  symbol: string;
  decimals: number;
  /** At least one, oldest first. */
  closes: DailyClose[];
  /** The replay's own now: the only price of the chart that is no close. */
  now: { price: string; marketTime: string };
  /** The mean of the closes that are shown. */
  average: string;
  highest: DailyClose;
  lowest: DailyClose;
  /** From the first close to now, in per cent of the first, with its sign. */
  changePercent: string;
  /** How far now lies from the average, in per cent of it, with its sign. */
  fromAveragePercent: string;
  /** Where the replay went round: the place of the first price behind it, now included; null where it did not. */
  wentRoundAt: number | null;
}

/**
 * What a chart of the last closes up to now shows; fewer where the market has not so many behind it.
 * @throws RangeError where the market does not have the symbol.
 */
export function chartData(market: Market, symbol: string, days: number): ChartData {
  const closes = market.closes(symbol, days);
  const { mid, marketTime } = market.quote(symbol);
  const decimals = market.decimals(symbol);
  const values = closes.map(({ close }) => new Decimal(close));
  const average = Decimal.sum(...values).div(values.length);
  const dates = [...closes.map(({ date }) => date), marketTime.slice(0, 10)];
  const wentRoundAt = dates.findIndex((date, index) => date <= (dates[index - 1] ?? ""));
  return {
    symbol,
    decimals,
    closes,
    now: { price: mid, marketTime },
    average: average.toFixed(decimals),
    highest: extreme(closes, (one, other) => one.gt(other)),
    lowest: extreme(closes, (one, other) => one.lt(other)),
    changePercent: percent(mid, values[0] ?? average),
    fromAveragePercent: percent(mid, average),
    wentRoundAt: wentRoundAt === -1 ? null : wentRoundAt,
  };
}

function extreme(closes: readonly DailyClose[], beats: (one: Decimal, other: Decimal) => boolean): DailyClose {
  return closes.reduce((best, next) => (beats(new Decimal(next.close), new Decimal(best.close)) ? next : best));
}

function percent(price: string, base: Decimal): string {
  const value = new Decimal(price).div(base).minus(1).times(100).toFixed(2);
  if (value === "0.00" || value === "-0.00") return "0.00 %";
  return `${value.startsWith("-") ? "" : "+"}${value} %`;
}

import type { DailyRates } from "./daily-rates.ts";
import { bridge } from "./bridge.ts";
import { marketTime, type MarketTimeOptions } from "./market-time.ts";
import { pairs, type Pair } from "./pairs.ts";

/** What a price of this market is, in words that go wherever it is shown. */
export const marketLabel = "replayed, simulated within the day";

/** A price as of now. All prices are decimal text with the pair's decimals. */
export interface Quote {
  symbol: string;
  bid: string;
  ask: string;
  mid: string;
  /** The market's own time, `2026-08-30T14:02:11Z`. It is replayed, and goes back when the rates go round. */
  marketTime: string;
  /** Whole days since the replay's first rate: grows for ever. */
  marketDay: number;
}

/** The reference rate at the end of a day. */
export interface DailyClose {
  date: string;
  close: string;
}

export interface MarketOptions extends MarketTimeOptions {
  rates: DailyRates;
  /** Another seed walks another way from close to close. */
  seed?: string;
}

interface Series {
  pair: Pair;
  closes: readonly string[];
  values: readonly number[];
  /** Root mean square of the daily relative changes. */
  volatility: number;
}

/**
 * The replayed market: real daily rates, and between one close and the next a path that is drawn from a seed, with the
 * pair's own volatility. A pure function of the clock. After the last rate it goes round to the first.
 */
export class Market {
  readonly symbols: readonly string[];
  readonly #options: MarketOptions;
  readonly #series: ReadonlyMap<string, Series>;

  /** @throws RangeError where `dayMs` or `startDay` leaves the market without time or without history. */
  constructor(options: MarketOptions) {
    if (!(options.dayMs > 0)) throw new RangeError(`dayMs must be above 0, is ${options.dayMs}`);
    if (options.startDay !== undefined && !(Number.isInteger(options.startDay) && options.startDay > 0)) {
      throw new RangeError(`startDay must be a whole number above 0, is ${options.startDay}`);
    }
    this.#options = options;
    this.#series = new Map(
      Object.entries(options.rates.closes).map(([symbol, closes]) => [symbol, seriesOf(symbol, closes)]),
    );
    this.symbols = [...this.#series.keys()];
  }

  /**
   * The price as of now.
   * @throws RangeError where the market does not have the symbol.
   */
  quote(symbol: string): Quote {
    const { pair, values, volatility } = this.#find(symbol);
    const { day, fraction } = marketTime(this.#options);
    const from = at(values, day - 1);
    const to = at(values, day);
    const seed = `${this.#options.seed ?? "deskboard"}/${symbol}/${day}`;
    const price = from + (to - from) * fraction + from * volatility * bridge(seed, fraction);
    const middle = Math.round(price * 10 ** pair.decimals);
    const text = (ticks: number) => ticksText(ticks, pair.decimals);
    return {
      symbol,
      bid: text(middle - pair.spreadTicks / 2),
      ask: text(middle + pair.spreadTicks / 2),
      mid: text(middle),
      marketTime: this.#timeText(day, fraction),
      marketDay: day,
    };
  }

  /**
   * The last closes up to now, oldest first; never one that is still to come.
   * @throws RangeError where the market does not have the symbol.
   */
  closes(symbol: string, days: number): DailyClose[] {
    const { closes } = this.#find(symbol);
    const { day } = marketTime(this.#options);
    const count = Math.min(days, day);
    return Array.from({ length: count }, (_, index) => {
      const past = day - count + index;
      return { date: at(this.#options.rates.dates, past), close: at(closes, past) };
    });
  }

  /** How many decimals the symbol's prices have. */
  decimals(symbol: string): number {
    return this.#find(symbol).pair.decimals;
  }

  #find(symbol: string): Series {
    const series = this.#series.get(symbol);
    if (!series) throw new RangeError(`no symbol ${symbol}; the market has ${this.symbols.join(", ")}`);
    return series;
  }

  #timeText(day: number, fraction: number): string {
    const secondMs = 1000;
    const secondsOfDay = Math.floor(fraction * 24 * 60 * 60);
    const time = Date.parse(at(this.#options.rates.dates, day)) + secondsOfDay * secondMs;
    return new Date(time).toISOString().replace(".000Z", "Z");
  }
}

/** Goes round at both ends. */
function at<T>(items: readonly T[], index: number): T {
  return items[((index % items.length) + items.length) % items.length] as T;
}

function seriesOf(symbol: string, closes: readonly string[]): Series {
  const pair = pairs[symbol];
  if (!pair) throw new RangeError(`no pair ${symbol}`);
  const values = closes.map(Number);
  const changes = values.slice(1).map((value, index) => value / (values[index] as number) - 1);
  const meanSquare = changes.reduce((sum, change) => sum + change * change, 0) / changes.length;
  return { pair, closes, values, volatility: Math.sqrt(meanSquare) };
}

function ticksText(ticks: number, decimals: number): string {
  if (decimals === 0) return String(ticks);
  const digits = String(ticks).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

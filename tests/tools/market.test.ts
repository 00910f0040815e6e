import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bridge } from "#lib/tools/market/bridge.ts";
import { dailyRates, parseDailyRates } from "#lib/tools/market/daily-rates.ts";
import { Market } from "#lib/tools/market/market.ts";
import { pairs } from "#lib/tools/market/pairs.ts";
import { marketToolset } from "#lib/tools/market/toolset.ts";
import { manualClock } from "#tests/support/manual-clock.ts";
import { testMarket } from "#tests/support/market.ts";
import { problemsOf, readFor, runTool, toolOf } from "#tests/support/run-tool.ts";

const dayMs = 120_000;
const days = dailyRates.dates.length;
const ticks = (price: string) => BigInt(price.replace(".", ""));
const deviation = (values: number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

test("at the end of each day the price is that day's real rate, also after it has gone round", () => {
  const clock = manualClock("2026-10-01T09:00:00.000Z");
  const market = testMarket(clock);
  const began = clock.now();
  for (const symbol of market.symbols) {
    for (let day = 22; day < 22 + 2 * days; day += 1) {
      clock.set(new Date(began + (day - 21) * dayMs).toISOString());
      const close = dailyRates.closes[symbol]?.[(day - 1) % days];
      expect(Number(market.quote(symbol).mid), `${symbol} ${day}`).toBe(Number(close));
    }
  }
});

test("there is history at once, and never a close that is still to come", () => {
  const clock = manualClock("2026-10-01T09:00:00.000Z");
  const market = testMarket(clock);
  expect(market.closes("EURUSD", 52)).toHaveLength(21);
  expect(market.closes("EURUSD", 2)).toEqual([
    { date: "2026-08-28", close: "1.16460" },
    { date: "2026-08-29", close: "1.15820" },
  ]);
  expect(market.quote("EURUSD")).toMatchObject({ marketTime: "2026-08-30T00:00:00Z", marketDay: 21 });
  clock.advance(dayMs - 1);
  expect(market.closes("EURUSD", 1)).toEqual([{ date: "2026-08-29", close: "1.15820" }]);
  clock.advance(1);
  expect(market.closes("EURUSD", 1)).toEqual([{ date: "2026-08-30", close: "1.15852" }]);
});

test("market time follows the clock, stands still before the epoch, and goes round at the end", () => {
  const clock = manualClock("2026-10-01T09:00:00.000Z");
  const market = testMarket(clock);
  const began = clock.now();
  clock.set(new Date(began + dayMs * 1.5).toISOString());
  expect(market.quote("EURUSD").marketTime).toBe("2026-08-31T12:00:00Z");
  clock.set(new Date(began - 1_000_000).toISOString());
  expect(market.quote("EURUSD").marketTime).toBe("2026-08-30T00:00:00Z");
  clock.set(new Date(began + dayMs * (days - 21)).toISOString());
  expect(market.quote("EURUSD")).toMatchObject({ marketTime: "2026-08-09T00:00:00Z", marketDay: 52 });
  expect(market.closes("EURUSD", 1)).toEqual([{ date: "2026-09-29", close: "1.13607" }]);
});

test("the same moment has the same price, on another instance and after a restart; another seed has another", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 200 * dayMs }),
      fc.constantFrom(...Object.keys(pairs)),
      (passedMs, symbol) => {
        const clock = manualClock("2026-10-01T09:00:00.000Z");
        const epochMs = clock.now();
        const first = testMarket(clock, { epochMs });
        clock.advance(passedMs);
        expect(testMarket(clock, { epochMs }).quote(symbol)).toEqual(first.quote(symbol));
      },
    ),
  );
  const clock = manualClock("2026-10-01T09:00:00.000Z");
  const epochMs = clock.now() - 50_000;
  const other = testMarket(clock, { epochMs, seed: "other" });
  expect(other.quote("EURUSD").mid).not.toBe(testMarket(clock, { epochMs }).quote("EURUSD").mid);
});

test("a quote has the pair's decimals and spread, its bid above 0, and its middle in the middle", () => {
  fc.assert(
    fc.property(fc.nat(500 * dayMs), fc.constantFrom(...Object.keys(pairs)), (passedMs, symbol) => {
      const clock = manualClock("2026-10-01T09:00:00.000Z");
      const market = testMarket(clock);
      clock.advance(passedMs);
      const { bid, ask, mid } = market.quote(symbol);
      const pair = pairs[symbol] ?? { decimals: -1, spreadTicks: -1 };
      for (const price of [bid, ask, mid]) expect(price.split(".")[1]?.length ?? 0).toBe(pair.decimals);
      expect(ticks(bid)).toBeGreaterThan(0n);
      expect(ticks(ask) - ticks(bid)).toBe(BigInt(pair.spreadTicks));
      expect(ticks(ask) + ticks(bid)).toBe(2n * ticks(mid));
    }),
  );
});

test("the path within a day has the volatility that it was asked for", () => {
  const middles = Array.from({ length: 4000 }, (_, index) => bridge(`seed/${index}`, 0.5));
  const quarters = Array.from({ length: 4000 }, (_, index) => bridge(`seed/${index}`, 0.25));
  // Of a Brownian bridge: the root of t (1 - t).
  expect(deviation(middles)).toBeCloseTo(0.5, 1);
  expect(deviation(quarters)).toBeCloseTo(Math.sqrt(3 / 16), 1);
  expect(bridge("seed", 0)).toBe(0);
  expect(Math.abs(bridge("seed", 1))).toBeLessThan(1e-12);
});

test("a calm pair moves less within the day than a wild one", () => {
  const clock = manualClock("2026-10-01T09:00:00.000Z");
  const market = testMarket(clock);
  const moves = (symbol: string) => {
    let sum = 0;
    for (let step = 0; step < 300; step += 1) {
      const before = Number(market.quote(symbol).mid);
      clock.advance(1_000);
      sum += Math.abs(Number(market.quote(symbol).mid) / before - 1);
    }
    return sum;
  };
  expect(moves("SOLUSD")).toBeGreaterThan(5 * moves("EURUSD"));
});

test("data that is wrong is refused by what is wrong with it", () => {
  const good = { source: "s", dates: ["2026-01-01", "2026-01-02"], closes: { EURUSD: ["1.1", "1.2"] } };
  expect(parseDailyRates(good).dates).toHaveLength(2);
  const bad = (changes: object) => () => parseDailyRates({ ...good, ...changes });
  expect(bad({ dates: ["2026-01-01", "2026-01-03"] })).toThrow(/day after 2026-01-01/);
  expect(bad({ closes: { EURUSD: ["1.1"] } })).toThrow(/must have 2 rates, has 1/);
  expect(bad({ closes: { EURUSD: ["1.1", "0"] } })).toThrow(/above 0/);
  expect(bad({ closes: { EURUSD: ["1.1", "x"] } })).toThrow(/above 0/);
  expect(bad({ closes: { EURUSD: ["1.1", "1.234567"] } })).toThrow(/at most 5 decimals/);
  expect(bad({ closes: { XYZ: ["1", "2"] } })).toThrow(/not a pair/);
  const options = { rates: dailyRates, clock: manualClock("2026-10-01T09:00:00.000Z"), epochMs: 0 };
  expect(() => new Market({ ...options, dayMs: 0 })).toThrow(RangeError);
  expect(() => new Market({ ...options, dayMs, startDay: 0 })).toThrow(RangeError);
});

const toolset = marketToolset(testMarket(manualClock("2026-10-01T09:00:00.000Z")));
const getQuote = toolOf(toolset, "get_quote");
const getRates = toolOf(toolset, "get_rates");

test("get_quote says that its price is replayed", async () => {
  const result = await runTool(getQuote, { symbol: "EURUSD" });
  expect(result).toMatchObject({ isError: false, outcome: "done" });
  expect(JSON.parse(result.text)).toEqual({
    symbol: "EURUSD",
    bid: "1.15817",
    ask: "1.15823",
    mid: "1.15820",
    marketTime: "2026-08-30T00:00:00Z",
    marketDay: 21,
    market: "replayed, simulated within the day",
  });
});

test("get_rates gives the last closes, 20 where no number is given", async () => {
  const rates = JSON.parse((await runTool(getRates, { symbol: "USDJPY", days: 2 })).text) as { closes: unknown[] };
  expect(rates.closes).toEqual([
    ["2026-08-28", expect.any(String)],
    ["2026-08-29", "160.103"],
  ]);
  expect(JSON.parse((await runTool(getRates, { symbol: "USDJPY" })).text).closes).toHaveLength(20);
  expect(readFor(getRates, { symbol: "USDJPY" })).toEqual(readFor(getRates, { symbol: "USDJPY", days: 20 }));
});

test("G1: blanks around a symbol and its letter case make no difference", () => {
  expect(readFor(getQuote, { symbol: " eurUsd " })).toEqual({ symbol: "EURUSD" });
});

test("P14: an unknown symbol, a wrong number of days and an unknown key are named", () => {
  expect(problemsOf(getQuote, { symbol: "AAPL" })).toEqual([
    "symbol: must be one of EURUSD, GBPUSD, AUDUSD, USDJPY, USDCHF, USDCAD, XAUUSD, XAGUSD, BTCUSD, ETHUSD, SOLUSD",
  ]);
  expect(problemsOf(getQuote, {})[0]).toMatch(/^symbol: must be one of EURUSD/);
  expect(problemsOf(getRates, { symbol: "EURUSD", days: 53 })).toEqual(["days: must be at most 52"]);
  expect(problemsOf(getRates, { symbol: "EURUSD", days: "" })).toEqual(["days: must be a whole number from 1 to 52"]);
  expect(problemsOf(getQuote, { symbol: "EURUSD", quantitty: 1 })[0]).toMatch(/quantitty/);
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { dailyRates } from "#lib/tools/market/daily-rates.ts";
import { chartData } from "#lib/tools/market/chart/chart-data.ts";
import { chartInWords } from "#lib/tools/market/chart/chart-words.ts";
import { chartWorker } from "#lib/tools/market/chart/chart-worker.ts";
import { drawChartTool } from "#lib/tools/market/chart/draw-chart.ts";
import { marketToolset } from "#lib/tools/market/toolset.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock } from "#tests/support/manual-clock.ts";
import { testMarket } from "#tests/support/market.ts";
import { call } from "#tests/support/scripted-backend.ts";
import { problemsOf, readFor, runTool, toolOf } from "#tests/support/run-tool.ts";

// Drawing takes its time where others want the machine, too.
vi.setConfig({ testTimeout: 60_000 });

const start = "2026-10-01T09:00:00.000Z";
const dayMs = 120_000;
const never = new AbortController().signal;
const draw = chartWorker();

/** The tool on a market whose replay has gone on for so many days. */
function toolAfter(days = 0) {
  const clock = manualClock(start);
  const tool = drawChartTool(testMarket(clock), draw);
  clock.advance(days * dayMs);
  return tool;
}

/** Width and height as a PNG's header says them. */
function sizeOf(bytes: Uint8Array): [number, number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

test("draw_chart is a read of the market's toolset, so that no desk has to change", () => {
  const tool = toolOf(marketToolset(testMarket(manualClock(start))), "draw_chart");
  expect(tool).toMatchObject({ effect: "read", defaultVerdict: undefined });
  expect(readFor(tool, { symbol: " eurusd " })).toEqual({ symbol: "EURUSD", days: 20 });
});

test("it gives a PNG and says in words and numbers what it shows", async () => {
  const result = await runTool(toolAfter(0.5), { symbol: "EURUSD", days: 15 });
  expect(result).toMatchObject({ isError: false, outcome: "done", picture: { type: "image/png" } });
  const bytes = result.picture?.bytes ?? new Uint8Array();
  expect([...bytes.slice(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  expect(sizeOf(bytes)).toEqual([1600, 880]);
  expect(bytes.length).toBeGreaterThan(20_000);
  expect(bytes.length).toBeLessThan(limits.pictureBytes / 10);
  expect(result.text).toContain("a line through 15 daily closes from 2026-08-15 to 2026-08-29, then dashed to now");
  expect(result.text).toMatch(
    /Now 1\.1\d{4} at 2026-08-30 12:00:00 UTC, [+-]\d\.\d\d % from the first close, 1\.15704/,
  );
  expect(result.text).toContain("Highest close 1.16906 (2026-08-21), lowest 1.15689 (2026-08-16), average 1.16330");
  expect(result.text).toContain("replayed, simulated within the day");
});

test("the same moment gives the same picture, another one another", async () => {
  const picture = async (days: number) => (await runTool(toolAfter(days), { symbol: "BTCUSD" })).picture?.bytes;
  const first = await picture(0);
  expect(await picture(0)).toEqual(first);
  expect(await picture(3)).not.toEqual(first);
});

test("prices of any size can be drawn, with as many days as there are, and with few", async () => {
  for (const symbol of ["BTCUSD", "USDJPY", "XAGUSD"]) {
    const result = await runTool(toolAfter(), { symbol, days: 52 });
    expect(result.text).toContain(`A chart of ${symbol}: a line through 21 daily closes`);
    expect(sizeOf(result.picture?.bytes ?? new Uint8Array())).toEqual([1600, 880]);
  }
  expect((await runTool(toolAfter(), { symbol: "XAUUSD", days: 2 })).text).toContain("through 2 daily closes");
});

test("never a close that is still to come, and where the replay went round it says so", async () => {
  const dataAfter = (days: number) => {
    const clock = manualClock(start);
    const market = testMarket(clock);
    clock.advance(days * dayMs);
    return chartData(market, "USDJPY", 52);
  };
  expect(chartInWords(dataAfter(30))).not.toContain("went round");
  expect(chartInWords(dataAfter(31))).toContain("The replay went round on 2026-08-09");
  const { text, picture } = await runTool(toolAfter(40), { symbol: "USDJPY", days: 52 });
  expect(text).toContain("from 2026-08-18 to 2026-08-17, then dashed to now.");
  expect(text).toContain("The replay went round on 2026-08-09");
  expect(sizeOf(picture?.bytes ?? new Uint8Array())).toEqual([1600, 880]);
  // Here the first date is also that of now.
  expect(dataAfter(31)).toMatchObject({ wentRoundAt: dailyRates.dates.length });
});

test("P14: an unknown symbol, too few or too many days, a fraction and unknown names are refused by name", () => {
  const tool = toolAfter();
  expect(problemsOf(tool, { symbol: "DOGE" })).toEqual([expect.stringMatching(/^symbol: must be one of EURUSD, /)]);
  expect(problemsOf(tool, { symbol: "EURUSD", days: 1 })).toEqual(["days: must be at least 2"]);
  expect(problemsOf(tool, { symbol: "EURUSD", days: 53 })).toEqual(["days: must be at most 52"]);
  expect(problemsOf(tool, { symbol: "EURUSD", days: 2.5 })).toEqual(["days: must be a whole number from 2 to 52"]);
  expect(problemsOf(tool, { symbol: "EURUSD", candles: true })).toEqual([expect.stringContaining("candles")]);
});

describe("the thread that draws", () => {
  const data = chartData(testMarket(manualClock(start)), "EURUSD", 5);
  const stuck = new URL("../support/stuck-chart-child.ts", import.meta.url);

  test("a chart that is given up ends its thread, and the next one begins another", async () => {
    const drawStuck = chartWorker(stuck);
    const abort = new AbortController();
    const given = drawStuck(data, abort.signal);
    const next = drawStuck({ ...data, symbol: "GOOD" }, never);
    abort.abort(new Error("timed out"));
    await expect(given).rejects.toThrow(/abort|timed out/);
    expect(await next).toEqual(Uint8Array.of(1));
  });

  test.each(["FAILS", "THROWS", "EXITS"])(
    "where it %s, that chart fails, and the next one is drawn",
    async (symbol) => {
      const drawStuck = chartWorker(stuck);
      await expect(drawStuck({ ...data, symbol }, never)).rejects.toThrow(/./);
      expect(await drawStuck({ ...data, symbol: "GOOD" }, never)).toEqual(Uint8Array.of(1));
    },
  );

  test("the event loop goes on while a chart is drawn", async () => {
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 1);
    await draw(data, never);
    clearInterval(count);
    expect(turns).toBeGreaterThan(2);
  });
});

describe("through the executor", () => {
  let desk: TestDesk | undefined;
  afterEach(() => desk?.remove());

  test("P3: the picture is stored with the result, and reached at its path", async () => {
    desk = await openTestDesk({ tools: [toolAfter()] });
    desk.backend.turn(call("draw_chart", { symbol: "EURUSD", days: 15 }));
    await desk.turn();
    desk.backend.assertDone();
    const results = (await desk.events()).flatMap((event) => (event.kind === "tool_result" ? [event.payload] : []));
    expect(results).toMatchObject([{ isError: false, text: expect.stringContaining("A chart of EURUSD") }]);
    const path = results[0]?.picturePath ?? "";
    expect(path).toMatch(/^\/api\/pictures\/[0-9A-Z]{26}$/);
    const stored = await desk.store.picture(path.split("/").at(-1) ?? "");
    expect(stored?.type).toBe("image/png");
    expect(sizeOf(stored?.bytes ?? new Uint8Array())).toEqual([1600, 880]);
  });
});

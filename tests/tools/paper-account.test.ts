import { expect, test } from "vitest";
import { newPaperAccount } from "#tests/support/paper-account.ts";
import { inspecting, problemsOf, readFor, runTool, toolOf } from "#tests/support/run-tool.ts";
import { paperAccountToolset } from "#lib/tools/paper-account/toolset.ts";
import { PaperAccount } from "#lib/tools/paper-account/paper-account.ts";
import { MemoryPaperLedger } from "#tests/support/memory-paper-ledger.ts";

const buy = { symbol: "EURUSD", side: "buy", quantity: "100000" };
const sell = { ...buy, side: "sell" };

test("a buy is filled at the ask, a sale at the bid", async () => {
  const { place, ledger } = newPaperAccount();
  expect((await runTool(place, buy)).text).toBe(
    "Filled: BUY 100,000 EURUSD at 1.10006 (110,006.00 USD). Position after it: 100,000 EURUSD, average 1.1000600. Paper order P1.",
  );
  expect((await runTool(place, sell, { idempotencyKey: "k2" })).text).toBe(
    "Filled: SELL 100,000 EURUSD at 1.10000 (110,000.00 USD). Realised -6.00 USD. Position after it: none in EURUSD. Paper order P2.",
  );
  expect((await ledger.ordersOf("majors")).map(({ price, quantity, at }) => ({ price, quantity, at }))).toEqual([
    { price: "1.10006", quantity: "100000", at: "2026-10-01T09:00:00.000Z" },
    { price: "1.1", quantity: "100000", at: "2026-10-01T09:00:00.000Z" },
  ]);
});

test("P4, M14: the same key fills once, at the same moment or later, and answers with the fill that it has", async () => {
  const { place, ledger, market } = newPaperAccount();
  const [first, second] = await Promise.all([runTool(place, buy), runTool(place, buy)]);
  market.set("EURUSD", "1.50000");
  await runTool(place, buy, { idempotencyKey: "k2" });
  const third = await runTool(place, buy);
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  expect(await ledger.ordersOf("majors")).toHaveLength(2);
});

test("a key that belongs to another order fills nothing", async () => {
  const { place, ledger } = newPaperAccount();
  await runTool(place, buy);
  expect(await runTool(place, sell)).toEqual({
    text: "Not filled: the key k1 belongs to another order, P1.",
    isError: true,
    outcome: "notDone",
  });
  expect(await ledger.ordersOf("majors")).toHaveLength(1);
});

test("M14: a look-up by the key says whether the ledger has the order", async () => {
  const { place } = newPaperAccount();
  expect(await place.lookUp?.("k1", inspecting())).toEqual({
    found: false,
    text: "The ledger has no order under this key so far.",
  });
  await runTool(place, buy);
  expect(await place.lookUp?.("k1", inspecting())).toEqual({
    found: true,
    text: "The ledger has it: buy 100000 EURUSD at 1.10006, 2026-10-01T09:00:00.000Z, paper order P1.",
  });
});

test("a ledger that fails makes the call fail, never a guess about the fill", async () => {
  const { market, clock } = newPaperAccount();
  const ledger = new MemoryPaperLedger();
  ledger.append = () => Promise.reject(new Error("disk full"));
  const account = new PaperAccount({ ledger, market, clock, ids: { next: () => "P1" } });
  const place = toolOf(paperAccountToolset({ account, clock }), "place_order");
  await expect(runTool(place, buy)).rejects.toThrow("disk full");
  // Those behind it in line are not harmed by it.
  await expect(runTool(place, sell)).rejects.toThrow("disk full");
});

test("a limit is never filled worse, and what was not filled can be tried again under the same key", async () => {
  const { place, market, ledger } = newPaperAccount();
  expect((await runTool(place, { ...buy, limit: "1.10005" })).text).toBe(
    "Not filled: the ask 1.10006 is above the limit.",
  );
  expect(await runTool(place, { ...sell, limit: 1.10001 })).toMatchObject({
    text: "Not filled: the bid 1.10000 is below the limit.",
    outcome: "notDone",
  });
  expect(await ledger.ordersOf("majors")).toEqual([]);
  market.set("EURUSD", "1.10001");
  expect(await runTool(place, { ...buy, limit: "1.10005" })).toMatchObject({ outcome: "done" });
});

test("reduceOnly never opens or turns a position, also when two orders pass the check at once", async () => {
  const { place, account } = newPaperAccount();
  expect((await runTool(place, { ...sell, reduceOnly: true })).text).toBe(
    "Not filled: there is no position to reduce.",
  );
  await runTool(place, buy, { idempotencyKey: "k2" });
  const wrongWay = await runTool(place, { ...buy, reduceOnly: true }, { idempotencyKey: "k3" });
  expect(wrongWay.text).toBe("Not filled: it would not only reduce the position.");
  const closing = (key: string, quantity: string) =>
    runTool(place, { ...sell, quantity, reduceOnly: true }, { idempotencyKey: key });
  const results = await Promise.all([closing("k4", "60000"), closing("k5", "60000"), closing("k6", "40000")]);
  expect(results.map(({ outcome }) => outcome)).toEqual(["done", "notDone", "done"]);
  expect((await account.book("majors")).positions.size).toBe(0);
});

test("a call that was stopped before the order was sent fills nothing", async () => {
  const { place, ledger } = newPaperAccount();
  const result = await runTool(place, buy, { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ outcome: "notDone" });
  expect(await ledger.ordersOf("majors")).toEqual([]);
});

test("profit in another currency becomes USD at the price that closed", async () => {
  const { place, get, market } = newPaperAccount();
  market.set("USDJPY", "150.000");
  await runTool(place, { symbol: "USDJPY", side: "buy", quantity: "100000" });
  market.set("USDJPY", "160.000");
  expect(JSON.parse((await runTool(get, {})).text)).toMatchObject({
    cashUsd: "1000000.00",
    openProfitUsd: "6250.00",
    equityUsd: "1006250.00",
    positions: [{ symbol: "USDJPY", quantity: "100000", averagePrice: "150.00000", price: "160.000" }],
  });
  const closed = await runTool(place, { symbol: "USDJPY", side: "sell", quantity: "100000" }, { idempotencyKey: "k2" });
  expect(closed.text).toContain("(100,000.00 USD). Realised +6,250.00 USD.");
  market.set("USDJPY", "100.000");
  expect(JSON.parse((await runTool(get, {})).text)).toEqual({
    depositUsd: "1000000.00",
    cashUsd: "1006250.00",
    realisedProfitUsd: "6250.00",
    openProfitUsd: "0.00",
    equityUsd: "1006250.00",
    positions: [],
  });
});

test("each desk has an account of its own", async () => {
  const { place, get } = newPaperAccount();
  await runTool(place, buy);
  expect(JSON.parse((await runTool(get, {}, { deskName: "crypto" })).text).positions).toEqual([]);
});

test("the facts are about this call: only what the account enforces reduces risk", async () => {
  const { place } = newPaperAccount();
  const facts = (args: object) => place.facts?.(readFor(place, { ...args }), inspecting());
  expect(await facts(buy)).toEqual({
    reducesRisk: false,
    notionalUsd: "110006",
    positionBefore: "0",
    positionAfter: "100000",
  });
  await runTool(place, buy);
  expect(await facts({ ...sell, reduceOnly: true })).toMatchObject({ reducesRisk: true, positionAfter: "0" });
  expect(await facts({ ...sell, quantity: "100001", reduceOnly: true })).toMatchObject({ reducesRisk: false });
  expect(await facts({ ...buy, reduceOnly: true })).toMatchObject({ reducesRisk: false });
  expect(await facts(sell)).toMatchObject({ reducesRisk: false, positionAfter: "0" });
});

test("the ticket shows what would run now, in plain digits", async () => {
  const { place } = newPaperAccount();
  await runTool(place, { ...buy, quantity: "400000" });
  const order = readFor(place, { ...sell, quantity: "200000", limit: "1.1004" });
  expect(await place.ticket?.(order, inspecting())).toEqual({
    headline: "SELL 200,000 EURUSD LIMIT 1.10040",
    side: "sell",
    rows: [
      { label: "last", value: "1.10000" },
      { label: "bid / ask", value: "1.10000 / 1.10006" },
      { label: "if it ran now", value: "not filled: the bid 1.10000 is below the limit" },
      { label: "position", value: "400,000 → 200,000" },
      { label: "notional", value: "220,000.00 USD" },
      { label: "realised if filled", value: "-12.00 USD" },
      { label: "market time", value: "2026-09-08 14:02, replayed, simulated within the day" },
    ],
    at: "2026-10-01T09:00:00.000Z",
  });
  const market = await place.ticket?.(readFor(place, { ...sell, reduceOnly: true }), inspecting());
  expect(market?.headline).toBe("SELL 100,000 EURUSD MARKET REDUCE ONLY");
  expect(market?.rows).toContainEqual({ label: "if it ran now", value: "filled at 1.10000" });
});

test("a limit stands in the headline with every digit that it has", async () => {
  const { place } = newPaperAccount();
  const order = readFor(place, { ...buy, quantity: "0.000000000000000001", limit: "1.123456789012345678" });
  expect((await place.ticket?.(order, inspecting()))?.headline).toBe(
    "BUY 0.000000000000000001 EURUSD LIMIT 1.123456789012345678",
  );
});

test("P10: place_order is a write without a default, so it is held where no rule allows it", () => {
  const { place, get } = newPaperAccount();
  expect(place).toMatchObject({ effect: "write", defaultVerdict: undefined });
  expect(get).toMatchObject({ effect: "read" });
});

test("G1: the same order, however it is spelled, and whatever its note says", () => {
  const { place } = newPaperAccount();
  const one = readFor(place, { quantity: 100000, side: "buy", symbol: "eurusd", reduceOnly: false });
  expect(readFor(place, { symbol: "EURUSD", side: "buy", quantity: "100000.0" })).toEqual(one);
  expect(place.identifiedBy).toEqual(["symbol", "side", "quantity", "limit", "reduceOnly"]);
});

test.each([
  ["quantity", "", /^quantity: must be a plain decimal/],
  ["quantity", " ", /^quantity: must be a plain decimal/],
  ["quantity", null, /^quantity: must be a number or a plain decimal/],
  ["quantity", "1e3", /^quantity: must be a plain decimal/],
  ["quantity", "1,000", /^quantity: must be a plain decimal/],
  ["quantity", "0x10", /^quantity: must be a plain decimal/],
  ["quantity", -5, /^quantity: must be greater than 0/],
  ["quantity", 0, /^quantity: must be greater than 0/],
  ["limit", "0", /^limit: must be greater than 0/],
  ["side", "SELL", /^side: must be "buy" or "sell"/],
  ["reduceOnly", "false", /^reduceOnly: must be true or false/],
  ["symbol", "AAPL", /^symbol: must be one of EURUSD/],
  ["note", " ", /^note: must not be blank/],
  ["quantitty", 1, /quantitty/],
])("M9, H3: %s %j is refused by name", (field, value, problem) => {
  const { place } = newPaperAccount();
  const problems = problemsOf(place, { ...buy, [field]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});

test("M2: an order without arguments is refused field by field", () => {
  const { place } = newPaperAccount();
  expect(problemsOf(place, {}).map((problem) => problem.split(":")[0])).toEqual(["symbol", "side", "quantity"]);
});

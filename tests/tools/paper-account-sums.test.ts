import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fixedText, groupedText, Money, profitText } from "#lib/tools/paper-account/money.ts";
import { valuation } from "#lib/tools/paper-account/account-report.ts";
import { bookOf, type Fill } from "#lib/tools/paper-account/positions.ts";
import { Fraction } from "#tests/support/fraction.ts";
import { newPaperAccount } from "#tests/support/paper-account.ts";
import { runTool } from "#tests/support/run-tool.ts";

const zero = new Fraction(0n);
const price = fc.integer({ min: 1, max: 9_999_999 }).map((ticks) => new Money(ticks).div(1000).toFixed());
const quantity = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000 }).map(String),
  fc.bigInt({ min: 1n, max: 10n ** 20n }).map((units) => new Money(units.toString()).div("1e12").toFixed()),
);
const ordersOf = (...symbols: string[]) =>
  fc.array(
    fc.record({
      symbol: fc.constantFrom(...symbols),
      side: fc.constantFrom<"buy" | "sell">("buy", "sell"),
      quantity,
      price,
    }),
    { maxLength: 30 },
  );
const orders = ordersOf("EURUSD", "USDJPY", "BTCUSD");

const signed = (fill: Fill) =>
  fill.side === "buy" ? Fraction.of(fill.quantity) : zero.minus(Fraction.of(fill.quantity));

/** Profit of the fills of one pair that is quoted in USD: what came in, less what went out, and what is left over. */
function cashFlowProfit(fills: readonly Fill[], symbol: string, mark: string): Fraction {
  let sum = zero;
  let held = zero;
  for (const fill of fills.filter((other) => other.symbol === symbol)) {
    sum = sum.minus(signed(fill).times(Fraction.of(fill.price)));
    held = held.plus(signed(fill));
  }
  return sum.plus(held.times(Fraction.of(mark)));
}

/** Profit in USD of USDJPY by exact fractions, closing at the average price, each close turned into USD at its price. */
function convertedProfit(fills: readonly Fill[], mark: string): Fraction {
  let held = zero;
  let average = zero;
  let realised = zero;
  for (const fill of fills.filter((other) => other.symbol === "USDJPY")) {
    const change = signed(fill);
    const at = Fraction.of(fill.price);
    const after = held.plus(change);
    const against = (held.top > 0n && change.top < 0n) || (held.top < 0n && change.top > 0n);
    if (!against) {
      average = held.times(average).plus(change.times(at)).over(after);
    } else {
      const turns = (held.top > 0n && after.top < 0n) || (held.top < 0n && after.top > 0n);
      const closed = turns ? held : zero.minus(change);
      realised = realised.plus(closed.times(at.minus(average)).over(at));
      if (turns) average = at;
    }
    held = after;
  }
  const markAt = Fraction.of(mark);
  return realised.plus(held.times(markAt.minus(average)).over(markAt));
}

/** Places the orders, each at its own price, and values the account with every pair at `mark`. */
async function valuedAfter(fills: readonly Fill[], mark: string) {
  const { account, market, place } = newPaperAccount();
  for (const [index, { price: at, ...order }] of fills.entries()) {
    market.set(order.symbol, at);
    await runTool(place, order, { idempotencyKey: `k${index}` });
  }
  for (const symbol of market.symbols) market.set(symbol, mark);
  return await valuation(account, "majors");
}

test("cash and positions valued are the deposit and all profit, over any orders", async () => {
  await fc.assert(
    fc.asyncProperty(orders, price, async (fills, mark) => {
      const { cashUsd, equityUsd, openUsd, realisedUsd } = await valuedAfter(fills, mark);
      const dollars = cashFlowProfit(fills, "EURUSD", mark).plus(cashFlowProfit(fills, "BTCUSD", mark));
      const profit = dollars.plus(convertedProfit(fills, mark));
      expect(equityUsd.eq(cashUsd.plus(openUsd))).toBe(true);
      expect(cashUsd.eq(realisedUsd.plus("1000000"))).toBe(true);
      expect(Fraction.of(equityUsd.toFixed()).isNear(Fraction.of("1000000").plus(profit), 20)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("where nothing is converted, the sums are exact to the last digit", async () => {
  await fc.assert(
    fc.asyncProperty(ordersOf("EURUSD", "BTCUSD"), price, async (fills, mark) => {
      const { equityUsd } = await valuedAfter(fills, mark);
      const profit = cashFlowProfit(fills, "EURUSD", mark).plus(cashFlowProfit(fills, "BTCUSD", mark));
      expect(Fraction.of(equityUsd.toFixed()).isNear(Fraction.of("1000000").plus(profit), 300)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("what is held is the exact sum of what was bought and sold", () => {
  fc.assert(
    fc.property(orders, (fills) => {
      const { positions } = bookOf(fills);
      for (const symbol of ["EURUSD", "USDJPY", "BTCUSD"]) {
        const sum = fills
          .filter((fill) => fill.symbol === symbol)
          .reduce((held, fill) => held.plus(signed(fill)), zero);
        const held = positions.get(symbol)?.quantity.toFixed() ?? "0";
        expect(Fraction.of(held).isNear(sum, 300)).toBe(true);
      }
    }),
  );
});

test("P4: however often and in whatever order keys come, each fills once", async () => {
  const keys = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(keys, async (tried) => {
      const { place, ledger } = newPaperAccount();
      const order = { symbol: "EURUSD", side: "buy", quantity: "1" };
      const results = await Promise.all(tried.map((key) => runTool(place, order, { idempotencyKey: key })));
      const filled = await ledger.ordersOf("majors");
      expect(filled.map(({ key }) => key).toSorted()).toEqual([...new Set(tried)].toSorted());
      for (const [index, key] of tried.entries()) expect(results[index]).toEqual(results[tried.indexOf(key)]);
    }),
    { numRuns: 50 },
  );
});

test("amounts are shown in plain digits, rounded half up, never as -0.00", () => {
  expect(groupedText(new Money("1234567890123456789.5"))).toBe("1,234,567,890,123,456,789.5");
  expect(groupedText(new Money("-1234.005"), 2)).toBe("-1,234.01");
  expect(groupedText(new Money("-123456"), 0)).toBe("-123,456");
  expect(groupedText(new Money("0.000000000000000001"))).toBe("0.000000000000000001");
  expect(fixedText(new Money("-0.001"), 2)).toBe("0.00");
  expect(profitText(new Money("0.004"))).toBe("0.00 USD");
  expect(profitText(new Money("1234.5"))).toBe("+1,234.50 USD");
  expect(profitText(new Money("-1234.5"))).toBe("-1,234.50 USD");
});

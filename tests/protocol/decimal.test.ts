import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalDecimal, decimalDigits, decimalSchema } from "#lib/protocol/decimal.ts";

const read = (value: unknown, sign?: "any") => {
  const result = decimalSchema(sign).safeParse(value);
  return result.success ? result.data : result.error.issues.map((issue) => issue.message).join("; ");
};

test.each([
  ["10", "10"],
  [10, "10"],
  ["10.0", "10"],
  ["1.50", "1.5"],
  ["007", "7"],
  ["0.000000000000000001", "0.000000000000000001"],
  [0.5, "0.5"],
  [1e-7, "0.0000001"],
  [1.23456789e-7, "0.000000123456789"],
  [Number.MAX_SAFE_INTEGER, "9007199254740991"],
  ["9007199254740993123", "9007199254740993123"],
])("M9, G1: %j is the decimal %s", (given, canonical) => {
  expect(read(given)).toBe(canonical);
});

test.each([
  "",
  " ",
  " 1",
  "1\n",
  "1e3",
  "1E3",
  "1,000",
  "1_000",
  "0x10",
  "NaN",
  "Infinity",
  ".5",
  "5.",
  "1.2.3",
  "--1",
  "١٢",
])("M9: %j is refused by what would be right", (given) => {
  expect(read(given)).toMatch(/^must be a plain decimal such as "1.25"/);
});

test.each([null, undefined, true, [1], { value: "1" }, Number.NaN, Number.POSITIVE_INFINITY])(
  "M9: %j is no number and never becomes one",
  (given) => {
    expect(read(given)).toMatch(/^must be a number or a plain decimal string/);
  },
);

test("M10: a number beyond 2^53 - 1 is refused, asking for a string", () => {
  expect(read(2 ** 53 + 2)).toMatch(/given as a string/);
  expect(read(-(2 ** 53), "any")).toMatch(/given as a string/);
  expect(read(1e300)).toMatch(/given as a string/);
});

test("H3: what is not positive is refused where it must be", () => {
  expect(read("-5")).toBe("must be greater than 0");
  expect(read("-0.0")).toBe("must be greater than 0");
  expect(read("-5", "any")).toBe("-5");
  expect(read("-0.0", "any")).toBe("0");
});

test("digits are never rounded away: what has too many is refused", () => {
  expect(read(1.5e-19, "any")).toMatch(/at most 30 digits before and 18 after/);
  expect(read(5e-324, "any")).toMatch(/at most 30 digits/);
  expect(read("9".repeat(31))).toMatch(/at most 30 digits/);
});

test("a text of two million zeros is refused at once", () => {
  const started = performance.now();
  expect(canonicalDecimal(`${"0".repeat(2_000_000)}x`)).toBeNull();
  expect(canonicalDecimal(`0.${"0".repeat(2_000_000)}1`)).toBeNull();
  expect(performance.now() - started).toBeLessThan(200);
});

test("G1: however a decimal is spelled, its canonical form is one", () => {
  const parts = fc.tuple(
    fc.bigInt({ min: 0n, max: 10n ** BigInt(decimalDigits.whole) - 1n }),
    fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }),
    fc.nat(5),
    fc.nat(5),
    fc.boolean(),
  );
  fc.assert(
    fc.property(parts, ([whole, fraction, before, after, negative]) => {
      const digits = `${whole}.${String(fraction).padStart(12, "0")}`;
      const once = canonicalDecimal(`${negative ? "-" : ""}${digits}`);
      const padded = canonicalDecimal(`${negative ? "-" : ""}${"0".repeat(before)}${digits}${"0".repeat(after)}`);
      expect(padded).toBe(once);
      expect(canonicalDecimal(once ?? "")).toBe(once);
      expect(once).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
    }),
  );
});

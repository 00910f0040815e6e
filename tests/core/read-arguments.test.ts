import { parse } from "lossless-json";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { argumentsText, issuesText, readArguments } from "#lib/core/read-arguments.ts";
import { defineTool, done, type Tool } from "#lib/core/tool.ts";
import { decimalSchema } from "#lib/protocol/decimal.ts";
import { testTools } from "#tests/support/test-tools.ts";

const tools = new Map(testTools().tools.map((tool) => [tool.name, tool]));
const placeOrder = tools.get("place_order")!;
const cancelOrders = tools.get("cancel_orders")!;
const listPositions = tools.get("list_positions")!;

/** A read with these parameters. */
function toolOf(parameters: z.ZodObject): Tool {
  return defineTool({ name: "probe", description: "", effect: "read", parameters, run: async () => done("") });
}

const anything = toolOf(z.strictObject({ value: z.json().optional() }));
const order = { symbol: "EURUSD", quantity: "10" };

function issues(tool: Tool, given: unknown) {
  const read = readArguments(tool, given);
  return read.ok ? [] : read.issues;
}

/** The only issue, as people and models read it. */
function problem(tool: Tool, given: unknown): string {
  const all = issues(tool, given);
  expect(all).toHaveLength(1);
  return `${all[0]?.field}: ${all[0]?.message} (given: ${all[0]?.given})`;
}

function canonical(tool: Tool, given: unknown): string {
  const read = readArguments(tool, given);
  return read.ok ? read.canonical : issuesText(tool.name, read.issues);
}

describe("D1: arguments that are absent, null and {} are three states", () => {
  it("absent is {} to the tool, {} is {}, and null is an error that says so", () => {
    expect(canonical(listPositions, undefined)).toBe("{}");
    expect(canonical(listPositions, {})).toBe("{}");
    expect(problem(listPositions, null)).toBe("arguments: must be a JSON object (given: null)");
  });

  it("the record keeps them apart", () => {
    expect([argumentsText(undefined), argumentsText(null), argumentsText({})]).toEqual([null, "null", "{}"]);
  });

  test.each([
    [[], "[]"],
    ["{}", '"{}"'],
    [7, "7"],
    [true, "true"],
    ["", '""'],
  ])("%j is no object", (given, shown) => {
    expect(problem(placeOrder, given)).toBe(`arguments: must be a JSON object (given: ${shown})`);
  });
});

describe("M9, P14: one strict policy, refused by name", () => {
  it('quantity "10", 10, 10.0 and "+010.000" are the same decimal', () => {
    const same = ["10", 10, 10.0, "+010.000"].map((quantity) => canonical(placeOrder, { ...order, quantity }));
    expect(new Set(same)).toEqual(new Set(['{"orderType":"market","quantity":"10","symbol":"EURUSD"}']));
  });

  test.each(["", " ", null, "1e3", "1,000", "0x10", "10 ", true, [], {}, "١٠", "NaN", "Infinity", "-0", 0, -5, "-5"])(
    "quantity %j is refused by its field, with what was given",
    (quantity) => {
      const [issue] = issues(placeOrder, { ...order, quantity });
      expect(issue).toMatchObject({ field: "quantity", given: JSON.stringify(quantity) });
      expect(issue?.message).not.toBe("");
    },
  );

  it('"false" is never true, nor is any other text or number a boolean', () => {
    for (const all of ["false", "true", "", 0, 1, null]) {
      expect(problem(cancelOrders, { all, ids: ["o1"] })).toContain("all: ");
    }
    expect(canonical(cancelOrders, { all: false, ids: ["o1"] })).toBe('{"all":false,"ids":["o1"]}');
  });

  it("an unknown key is refused by name, with the fields that there are", () => {
    const text = problem(placeOrder, { ...order, quantitty: "20" });
    expect(text).toBe(
      'quantitty: is not a field of place_order; it has symbol, quantity, orderType, note (given: "20")',
    );
  });

  it("every unknown key is named, those too that each object inherits", () => {
    const given = JSON.parse(
      '{"symbol":"EURUSD","quantity":"1","__proto__":{"note":"x"},"constructor":1,"toString":2}',
    );
    expect(
      issues(placeOrder, given)
        .map((issue) => issue.field)
        .toSorted(),
    ).toEqual(["__proto__", "constructor", "toString"]);
  });

  it("an unknown key in a nested object is refused by its path", () => {
    const nested = toolOf(z.strictObject({ legs: z.array(z.strictObject({ symbol: z.string() })) }));
    expect(problem(nested, { legs: [{ symbol: "a" }, { symbol: "b", size: 3 }] })).toBe(
      "legs[1].size: is not a field of legs[1] (given: 3)",
    );
    expect(problem(nested, { legs: [{ symbol: "a" }, {}] })).toMatch(/^legs\[1\]\.symbol: is missing.*given: nothing/);
  });

  it("all that is wrong is said at once, a line a field", () => {
    const read = readArguments(placeOrder, { symbol: "", quantity: "1,000", orderType: "stop", extra: 1 });
    const text = issuesText("place_order", read.ok ? [] : read.issues);
    expect(text.split("\n")[0]).toBe("The arguments of place_order are not valid, and nothing was run:");
    for (const field of ["symbol", "quantity", "orderType", "extra"])
      expect(text).toMatch(new RegExp(`^- ${field}: `, "m"));
  });

  it("what was given is shortened, on a whole character", () => {
    const given = issues(placeOrder, { ...order, quantity: `${"x".repeat(75)}${"😀".repeat(50)}` })[0]?.given ?? "";
    expect(given.length).toBeLessThanOrEqual(80);
    expect(given.isWellFormed()).toBe(true);
  });
});

describe("M10: a number that JSON cannot keep", () => {
  const digits = "9007199254740993123";

  it("is refused by value, asking for a string, as a door with the raw text gives it", () => {
    const given = parse(`{"orderId":${digits}}`);
    const text = problem(cancelOrders, given);
    expect(text).toMatch(/^orderId: .*give it as a string/);
    expect(text).toContain(`(given: ${digits})`);
    expect(argumentsText(given)).toBe(`{"orderId":${digits}}`);
  });

  it("is refused where only the double is left", () => {
    expect(problem(anything, { value: Number(digits) })).toMatch(/^value: .*give it as a string/);
    expect(problem(anything, { value: [{ deep: -(2 ** 53) }] })).toMatch(/^value\[0\]\.deep: /);
  });

  it("as a string has those digits everywhere", () => {
    expect(canonical(cancelOrders, { orderId: digits })).toBe(`{"orderId":"${digits}"}`);
    const wide = toolOf(z.strictObject({ quantity: decimalSchema() }));
    expect(canonical(wide, { quantity: digits })).toBe(`{"quantity":"${digits}"}`);
  });

  it("the greatest safe number is a number", () => {
    expect(canonical(anything, { value: Number.MAX_SAFE_INTEGER })).toBe('{"value":9007199254740991}');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "M4: %d never becomes a number",
    (value) => {
      expect(problem(anything, { value })).toBe(`value: is not a number that JSON has (given: ${value})`);
      expect(problem(placeOrder, { ...order, quantity: value })).toContain("quantity: ");
    },
  );

  it("an object that only looks like a lossless number is an object", () => {
    expect(canonical(anything, { value: { isLosslessNumber: true, value: "5" } })).toBe(
      '{"value":{"isLosslessNumber":true,"value":"5"}}',
    );
    expect(issues(placeOrder, { isLosslessNumber: true, value: "5", ...order }).map((issue) => issue.field)).toEqual([
      "isLosslessNumber",
      "value",
    ]);
  });
});

describe("M12: half of a character", () => {
  it("becomes well-formed text in values and keys", () => {
    const free = toolOf(z.strictObject({ map: z.record(z.string(), z.string()) }));
    const text = canonical(free, { map: { "a\ud83d": "b\ude00", fine: "😀" } });
    expect(text.isWellFormed()).toBe(true);
    expect(JSON.parse(text)).toEqual({ map: { "a\ufffd": "b\ufffd", fine: "😀" } });
  });

  it("is well-formed in what the record keeps as given", () => {
    expect((argumentsText({ note: "x\ud83d" }) ?? "").isWellFormed()).toBe(true);
  });
});

describe("what is not JSON, or too much of it", () => {
  const nested = (depth: number) => {
    let value: unknown = 1;
    for (let level = 1; level < depth; level += 1) value = [value];
    return value;
  };

  it("arguments 64 deep are read, deeper ones refused by field and limit", () => {
    // The arguments themselves are one of the 64, and what is not nested counts for nothing.
    expect(issues(anything, { value: nested(64) })).toEqual([]);
    const [issue] = issues(anything, { value: nested(65) });
    expect(issue?.field).toMatch(/^value\[0\]/);
    expect(issue?.message).toBe("must be nested at most 64 deep");
    expect(issues(anything, { value: nested(20_000) })[0]?.message).toBe("must be nested at most 64 deep");
  });

  it("arguments of more than 2 MB are refused by field, limit and size", () => {
    const just = "x".repeat(2 * 1024 * 1024 - 12);
    expect(issues(anything, { value: just })).toEqual([]);
    expect(problem(anything, { value: `${just}y` })).toBe(
      "arguments: must be at most 2097152 bytes of JSON (given: 2097153 bytes)",
    );
    expect(problem(anything, { value: "é".repeat(1024 * 1024) })).toContain("must be at most 2097152 bytes");
  });

  test.each([
    ["a function", () => {}],
    ["a symbol", Symbol("x")],
    ["a big integer", 10n],
  ])("%s is refused by field", (_, value) => {
    expect(issues(anything, { value })[0]).toMatchObject({ field: "value", message: "must be a JSON value" });
  });

  it("undefined is as if it were not there", () => {
    expect(canonical(placeOrder, { ...order, note: undefined })).toBe(canonical(placeOrder, order));
  });

  it("an object that holds itself is refused, and kept as words", () => {
    const self: Record<string, unknown> = { ...order };
    self["note"] = self;
    expect(issues(placeOrder, self)[0]?.message).toBe("must be nested at most 64 deep");
    expect(JSON.parse(argumentsText(self) ?? "null")).toContain("not JSON");
  });
});

describe("a tool whose schema misbehaves", () => {
  it("is an issue, never an exception", () => {
    const throwing = toolOf(
      z.strictObject({
        a: z.string().refine(() => {
          throw new Error("schema broke");
        }),
      }),
    );
    expect(problem(throwing, { a: "x" })).toContain("schema broke");
    const waiting = toolOf(z.strictObject({ a: z.string().refine(async () => true) }));
    expect(problem(waiting, { a: "x" })).toMatch(/^arguments: /);
  });

  it("that makes of arguments what is not JSON is an issue", () => {
    const big = toolOf(z.strictObject({ a: z.string().transform((text) => BigInt(text)) }));
    expect(problem(big, { a: "12" })).toMatch(/^arguments: /);
  });
});

it("P4: what is normalised once is not normalised again", () => {
  const once = readArguments(placeOrder, { symbol: " EURUSD ", quantity: "+1.50" });
  if (!once.ok) throw new Error("valid arguments were refused");
  expect(canonical(placeOrder, once.value)).toBe(once.canonical);
  expect(canonical(placeOrder, JSON.parse(once.canonical))).toBe(once.canonical);
});

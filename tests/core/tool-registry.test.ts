import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool, done } from "#lib/core/tool.ts";
import { ToolRegistry, toolDigest } from "#lib/core/tool-registry.ts";
import { sha256 } from "#tests/support/record.ts";

function define(
  changes: { name?: string; description?: string; effect?: "read" | "write"; parameters?: z.ZodObject } = {},
) {
  return defineTool({
    name: "get_quote",
    description: "A price",
    effect: "read",
    parameters: z.strictObject({ symbol: z.string() }),
    run: async () => done("1"),
    ...changes,
  });
}

it("has each name once", () => {
  expect(() => new ToolRegistry([define(), define()])).toThrow(/two tools have the same name: get_quote/);
});

it.each(["", "Get", "get-quote", "1x", "get quote", "x".repeat(65)])("a tool cannot be called %j", (name) => {
  expect(() => define({ name })).toThrow(/snake_case/);
});

it("M9: parameters that would drop unknown keys are refused where they are defined", () => {
  expect(() => define({ parameters: z.object({ symbol: z.string() }) })).toThrow(/strict/);
  expect(() => define({ parameters: z.looseObject({ symbol: z.string() }) })).toThrow(/strict/);
});

it("P4: a tool's digest changes with whatever its callers see of it", () => {
  const digests = [
    define(),
    define({ name: "get_price" }),
    define({ description: "Another" }),
    define({ effect: "write" }),
    define({ parameters: z.strictObject({ symbol: z.string(), venue: z.string().optional() }) }),
    define({ parameters: z.strictObject({ symbol: z.string().max(10) }) }),
  ].map((tool) => toolDigest(tool, sha256));
  expect(new Set(digests).size).toBe(digests.length);
  expect(toolDigest(define(), sha256)).toBe(digests[0]);
});

it("lists what backends show to their models", () => {
  expect(new ToolRegistry([define()]).listing()).toMatchObject([
    { name: "get_quote", effect: "read", parameters: { type: "object", additionalProperties: false } },
  ]);
});

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** `P1` and so on, as the project's list of promises numbers them. */
function promised(): string[] {
  const text = readFileSync(join(root, "docs/promises.md"), "utf8");
  return [...text.matchAll(/^- (P\d+) /gm)].map(([, promise]) => promise!);
}

/** The titles of all tests and groups of tests, by file. */
function titles(): { file: string; title: string }[] {
  const files = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" });
  const own = relative(join(root, "tests"), import.meta.filename);
  return files
    .filter((file) => /\.tsx?$/.test(file) && file !== own)
    .flatMap((file) => titlesOf(readFileSync(join(root, "tests", file), "utf8")).map((title) => ({ file, title })));
}

/** The first arguments of `it`, `test` and `describe`, also behind `.each(…)`, `.skipIf(…)` and the like. */
function titlesOf(source: string): string[] {
  const call =
    /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)/g;
  return [...source.matchAll(call)].map(([, literal]) => literal!.slice(1, -1));
}

function cited(title: string): string[] {
  return [...title.matchAll(/\bP\d+\b/g)].map(([promise]) => promise);
}

it("each promise is cited by a test, and no other is", () => {
  const promises = promised();
  expect(promises).toEqual(promises.map((_, index) => `P${index + 1}`));
  expect(promises.length).toBeGreaterThanOrEqual(16);
  const found = titles();
  const citations = new Set(found.flatMap(({ title }) => cited(title)));
  expect(
    promises.filter((promise) => !citations.has(promise)),
    "promises that no test cites",
  ).toEqual([]);
  const unknown = found.filter(({ title }) => cited(title).some((promise) => !promises.includes(promise)));
  expect(unknown, "titles that cite what is not promised").toEqual([]);
});

it("titles are found however a test is written, and nothing else is", () => {
  const source = [
    'it("P1: plain", () => {});',
    "test.each([1, 2])('P2: each %i', () => {});",
    "describe.skipIf(isSlow)(`P3: ${group}`, () => {});",
    'it("P4, P5: a \\"quoted\\" word", { timeout: 1 }, async () => {});',
    "// P6 is only named here",
    'expect(text).toBe("P7");',
    'const limit = "P8";',
  ].join("\n");
  expect(titlesOf(source).flatMap(cited)).toEqual(["P1", "P2", "P3", "P4", "P5"]);
});

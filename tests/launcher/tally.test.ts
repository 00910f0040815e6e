import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closingLine, one, playwrightTally, sum, vitestTally } from "#scripts/launcher/tally.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deskboard-tally-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a report and names its file. */
function report(content: unknown): string {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const vitest = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] };
const stats = { expected: 2, unexpected: 0, flaky: 0, skipped: 0 };

test("Vitest's tests are counted, those that did not run as skipped", () => {
  expect(vitestTally(report(vitest), 0)).toEqual({ passed: 3, failed: 0, skipped: 2 });
});

test("a test file that could not be loaded is a failure", () => {
  const testResults = [
    { status: "failed", assertionResults: [] },
    { status: "failed", assertionResults: [{}] },
  ];
  expect(vitestTally(report({ ...vitest, numFailedTests: 1, testResults }), 1).failed).toBe(2);
});

test("Playwright's tests are counted, and one that passed only when repeated is a failure", () => {
  expect(playwrightTally(report({ stats: { ...stats, flaky: 1, skipped: 4 } }), 0)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 4,
  });
});

test("a runner that failed without a failed test is a failure", () => {
  expect(vitestTally(report(vitest), 1).failed).toBe(1);
  expect(playwrightTally(report({ stats }), 1).failed).toBe(1);
});

test("a runner that ran no test, or left no report, is a failure", () => {
  expect(playwrightTally(report({ stats: { ...stats, expected: 0 } }), 0).failed).toBe(1);
  expect(vitestTally(join(folder, "none.json"), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("the closing line adds up, and mentions what was skipped only if something was", () => {
  expect(closingLine(sum([one(true), one(false), { passed: 5, failed: 0, skipped: 0 }]))).toBe("6 passed, 1 failed");
  expect(closingLine(sum([one(true), { passed: 0, failed: 0, skipped: 2 }]))).toBe("1 passed, 0 failed, 2 skipped");
});

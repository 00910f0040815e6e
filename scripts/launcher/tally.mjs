import { existsSync, readFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/**
 * A check that knows only yes and no.
 * @param {boolean} isGood
 * @returns {Tally}
 */
export const one = (isGood) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 });

/**
 * What a runner's report says, but never better than the runner's exit code: one that failed without a failed test (a
 * crash, an error outside of any test, no test found, no report) counts as one failure.
 * @param {string} file
 * @param {number} exitCode
 * @param {(report: any) => Tally} read
 * @returns {Tally}
 */
function fromReport(file, exitCode, read) {
  const counts = existsSync(file) ? read(JSON.parse(readFileSync(file, "utf8"))) : { passed: 0, failed: 0, skipped: 0 };
  const ranNothing = counts.passed + counts.failed === 0;
  return counts.failed === 0 && (exitCode !== 0 || ranNothing) ? { ...counts, failed: 1 } : counts;
}

/**
 * A test file that could not be loaded counts as one failure.
 * @param {string} file
 * @param {number} exitCode
 */
export const vitestTally = (file, exitCode) =>
  fromReport(file, exitCode, (report) => ({
    passed: report.numPassedTests,
    failed:
      report.numFailedTests +
      report.testResults.filter(
        (/** @type {any} */ suite) => suite.status === "failed" && suite.assertionResults.length === 0,
      ).length,
    skipped: report.numPendingTests + report.numTodoTests,
  }));

/**
 * @param {string} file
 * @param {number} exitCode
 */
export const playwrightTally = (file, exitCode) =>
  fromReport(file, exitCode, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }));

/**
 * @param {Tally[]} tallies
 * @returns {Tally}
 */
export const sum = (tallies) => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failed: tallies.reduce((total, { failed }) => total + failed, 0),
  skipped: tallies.reduce((total, { skipped }) => total + skipped, 0),
});

/** @param {Tally} tally */
export const closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

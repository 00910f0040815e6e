import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bringBrowser } from "./browser.mjs";
import { prepare } from "./prepare.mjs";
import { exitCodeOf, runNode } from "./processes.mjs";
import { one, playwrightTally, vitestTally } from "./tally.mjs";

/**
 * One part of a test run. A stage whose `needs` failed is not run.
 * @typedef {{ name: string, needs?: string, run: () => Promise<import("./tally.mjs").Tally> }} Stage
 */

/** @param {string[]} args */
const succeeds = async (...args) => (await runNode(args)).code === 0;

/**
 * Lets a runner write its report into a folder that is gone afterwards.
 * @template T
 * @param {(file: string) => Promise<T>} use
 */
async function withReport(use) {
  const folder = mkdtempSync(join(tmpdir(), "deskboard-report-"));
  try {
    return await use(join(folder, "report.json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} project */
const vitest = (project) => () =>
  withReport(async (file) => {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const ending = await runNode(["node_modules/vitest/vitest.mjs", "run", "--project", project, ...reporters]);
    return vitestTally(file, exitCodeOf(ending));
  });

/** @returns {Promise<import("./tally.mjs").Tally>} */
const playwright = () =>
  withReport(async (file) => {
    const args = ["test", "--config=tests/e2e/playwright.config.ts", "--reporter=list,json"];
    // Playwright sets FORCE_COLOR for its workers, and Node warns of the two together.
    const env = { DESKBOARD_CHROMIUM: await bringBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: file, NO_COLOR: undefined };
    const ending = await runNode(["node_modules/playwright/cli.js", ...args], { env });
    return playwrightTally(file, exitCodeOf(ending));
  });

/** @type {Record<"format" | "lint" | "types" | "unused" | "unit" | "db" | "build" | "api" | "e2e", Stage>} */
const stages = {
  format: { name: "format", run: async () => one(await succeeds("node_modules/oxfmt/bin/oxfmt", "--check")) },
  lint: { name: "lint", run: async () => one(await succeeds("node_modules/oxlint/bin/oxlint")) },
  types: {
    name: "types",
    run: async () =>
      one(
        (await succeeds("node_modules/next/dist/bin/next", "typegen")) &&
          (await succeeds("node_modules/typescript/bin/tsc", "--noEmit")),
      ),
  },
  unused: { name: "unused", run: async () => one(await succeeds("node_modules/knip/bin/knip.js")) },
  unit: { name: "unit", run: vitest("unit") },
  db: { name: "db", run: vitest("db") },
  build: {
    name: "build",
    async run() {
      await prepare("build");
      return one(true);
    },
  },
  api: { name: "api", needs: "build", run: vitest("api") },
  e2e: { name: "e2e", needs: "build", run: playwright },
};

/** The fast half: no build, no browser. */
export const checkStages = [stages.format, stages.lint, stages.types, stages.unused, stages.unit];

export const testStages = [...checkStages, stages.db, stages.build, stages.api, stages.e2e];

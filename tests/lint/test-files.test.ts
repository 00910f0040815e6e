import { readdir } from "node:fs/promises";
import { join, matchesGlob, resolve } from "node:path";
import { expect, test } from "vitest";
import vitestConfig from "../../vitest.config.ts";

const tests = resolve(import.meta.dirname, "..");

test("every test file belongs to a project that runs it", async () => {
  const included = (vitestConfig.test?.projects ?? []).flatMap((project) =>
    typeof project === "object" && "test" in project ? (project.test?.include ?? []) : [],
  );
  const patterns = [...included, "tests/e2e/**/*.test.ts"];
  const files = await readdir(tests, { recursive: true });
  const orphans = files
    .map((file) => join("tests", file))
    .filter((file) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(file))
    .filter((file) => !patterns.some((pattern) => matchesGlob(file, pattern)));
  expect(orphans).toEqual([]);
});

import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

const root = resolve(import.meta.dirname, "../..");
const fixtures = join(import.meta.dirname, "fixtures");
const settings = [".oxlintrc.json", ".gitignore", "package.json", "tsconfig.json"];

const report = z.object({
  diagnostics: z.array(
    z.object({
      filename: z.string(),
      code: z.string().optional(),
      labels: z.array(z.object({ span: z.object({ line: z.number() }) })),
    }),
  ),
});

/** `file:line rule` for each line of a fixture that announces what must be reported there. */
async function announced(): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(fixtures, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const lines = (await readFile(file, "utf8")).split("\n");
    lines.forEach((line, index) => {
      for (const rule of line.split("// reported: ")[1]?.split(", ") ?? []) {
        found.push(`${file.slice(fixtures.length + 1)}:${index + 1} ${rule}`);
      }
    });
  }
  return found.toSorted();
}

/** Lints the folder with the project's own settings; `file:line rule` for each report. */
async function reported(folder: string): Promise<string[]> {
  const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
  const output = await promisify(execFile)(process.execPath, [oxlint, "--format=json"], {
    cwd: folder,
    maxBuffer: 64_000_000,
  }).catch((error: { stdout: string }) => error);
  return report
    .parse(JSON.parse(output.stdout))
    .diagnostics.map(({ filename, code, labels }) => {
      const rule = code?.match(/\((.*)\)/)?.[1] ?? "unused-directive";
      return `${filename}:${labels[0]?.span.line ?? 0} ${rule}`;
    })
    .toSorted();
}

describe("the lint rules", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "deskboard-lint-"));
    await cp(fixtures, folder, { recursive: true });
    for (const name of settings) await cp(join(root, name), join(folder, name));
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "lib/core/too-long.ts"), `${"// A line.\n".repeat(300)}export const last = 301;\n`);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("report each violation of the bad fixture, and nothing else", { timeout: 60_000 }, async () => {
    const expected = [...(await announced()), "lib/core/too-long.ts:301 max-lines"].toSorted();
    expect(expected.length).toBeGreaterThan(70);
    expect(await reported(folder)).toEqual(expected);
  });
});

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { message, unit } from "#tests/support/record-rows.ts";
import { openTestRecord, type TestRecord } from "#tests/support/record.ts";
import { storedEvents } from "#tests/support/stored-events.ts";

let work: string;
let record: TestRecord;

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), "deskboard-commands-"));
  record = await openTestRecord();
  await record.store.commit(unit({ events: [message("majors", "kept")] }));
});
afterEach(async () => {
  await record.remove();
  await rm(work, { recursive: true, force: true });
});

/** Runs a command as `npm run` does, and gives its exit code and all that it said. */
async function command(name: string, args: string[]): Promise<[number, string]> {
  const file = resolve(import.meta.dirname, `../../lib/server/${name}-main.ts`);
  // Nothing of the settings of whoever runs the tests.
  const settings: NodeJS.ProcessEnv = { NODE_ENV: "production", DATA_DIR: record.dataDir };
  return await new Promise((done) => {
    execFile(process.execPath, [file, ...args], { env: settings }, (error, out, said) => {
      done([typeof error?.code === "number" ? error.code : 0, out + said]);
    });
  });
}

test("backup, audit and restore, each a process beside the running server, say what they did and what is next", async () => {
  const [code, said] = await command("backup", ["--to", work]);
  expect(said).toContain("Checked: the copy passes SQLite's integrity check and the whole audit.");
  expect(code).toBe(0);
  const [name = ""] = await readdir(work);
  expect(name).toMatch(/^deskboard-\d{4}-\d\d-\d\dT\d{6}Z$/);
  const backup = join(work, name);
  expect(said).toContain(`npm run restore -- --from ${backup}`);
  expect(said).toContain("The anchors' key is not in it");

  expect(await command("audit", ["--data-dir", backup])).toEqual([0, expect.stringContaining("Nothing is wrong.")]);

  const [busy, refused] = await command("restore", ["--from", backup]);
  expect([busy, refused]).toEqual([2, expect.stringContaining("is in use by another Deskboard")]);

  const target = join(work, "data of mine");
  const [restored, words] = await command("restore", ["--from", backup, "--to", target]);
  expect([restored, words]).toEqual([0, expect.stringContaining(`Next: DATA_DIR='${target}' npm start`)]);
  expect(storedEvents(target)).toEqual(storedEvents(record.dataDir));
}, 60_000);

test("P16: --with-key warns and never shows the key; a wrong option is named", async () => {
  const [, said] = await command("backup", ["--to", join(work, "mine"), "--with-key"]);
  expect(said).toContain("WARNING: whoever has this backup has the key with it");
  expect(said).not.toContain((await readFile(join(record.dataDir, "anchor.key"), "utf8")).trim());
  const [code, words] = await command("backup", ["--to", join(work, "mine", "backup.json")]);
  expect([code, words]).toEqual([2, expect.stringContaining("a backup never overwrites")]);
  expect(await command("backup", ["--where"])).toEqual([2, expect.stringContaining("--where")]);
  expect(await command("restore", [])).toEqual([2, expect.stringContaining("--from")]);
}, 60_000);

import { appendFile, cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import { makeBackup } from "#lib/db/backup/make-backup.ts";
import { restoreBackup } from "#lib/db/backup/restore-backup.ts";
import { fingerprintOf } from "#lib/db/backup/database-file.ts";
import { message, unit } from "#tests/support/record-rows.ts";
import { openTestRecord, realClock, sha256, type TestRecord } from "#tests/support/record.ts";
import { storedEvents } from "#tests/support/stored-events.ts";
import { live } from "./lived-record.ts";

let record: TestRecord;
let key: string;
/** Never changed: each test takes a copy. */
let original: string;
let work: string;
let backup: string;
let target: string;

beforeAll(async () => {
  record = await openTestRecord();
  await live(record.store);
  key = (await readFile(join(record.dataDir, "anchor.key"), "utf8")).trim();
  original = join(await mkdtemp(join(tmpdir(), "deskboard-backup-")), "backup");
  const { dataDir } = record;
  await makeBackup({ dataDir, to: original, withKey: false, version: "0.0.0", clock: realClock, digest: sha256 });
});
afterAll(async () => {
  await record.remove();
  await rm(join(original, ".."), { recursive: true, force: true });
});

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), "deskboard-restore-"));
  backup = join(work, "backup");
  target = join(work, "data");
  await cp(original, backup, { recursive: true });
});
afterEach(() => rm(work, { recursive: true, force: true }));

async function restore(changes: Partial<Parameters<typeof restoreBackup>[0]> = {}) {
  const fixed = { from: backup, dataDir: target, accept: false, clock: realClock, digest: sha256 };
  return await restoreBackup({ ...fixed, anchorKey: key, ...changes });
}

/** The words of a refusal, which leaves no record in the folder. */
async function refusal(changes: Parameters<typeof restore>[0] = {}): Promise<string> {
  const error: unknown = await restore(changes).then(
    () => null,
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ code: "invalid" });
  expect(await readdir(target)).toEqual(["owner.lock"]);
  return error instanceof Error ? error.message : "";
}

/** What opens the folder as a server does, says something and closes it. */
async function goOn(options: { anchorKey?: string } = {}): Promise<void> {
  const again = await openTestRecord({ ...options, dataDir: target });
  await again.store.commit(unit({ events: [message("majors", "after the restore")] }));
  await again.close();
  const { findings, checked } = await auditRecord({ dataDir: target, ...options, digest: sha256 });
  expect(findings).toEqual([]);
  expect(checked.events).toBe(22);
}

describe("a restore", () => {
  test("P6: P15: gives every event back as it was; the record starts, goes on, and passes the audit", async () => {
    expect(await restore()).toMatchObject({ events: 21, position: 21, seal: "ours" });
    expect((await readdir(target)).toSorted()).toEqual(["anchor.json", "deskboard.db", "owner.lock"]);
    expect(storedEvents(target)).toEqual(storedEvents(record.dataDir));
    await goOn({ anchorKey: key });
  });

  test("into another folder of the same machine it takes that machine's key along", async () => {
    expect(await restore({ anchorKey: null, machineKey: key })).toMatchObject({ seal: "ours" });
    expect((await readFile(join(target, "anchor.key"), "utf8")).trim()).toBe(key);
    await goOn();
  });

  test("it can go to a database that is not in the data folder", async () => {
    const databaseUrl = `file:${join(work, "elsewhere", "desks.db")}`;
    await restore({ databaseUrl });
    const again = await openTestRecord({ dataDir: target, databaseUrl, anchorKey: key });
    expect(await again.store.heads()).toHaveLength(3);
    await again.close();
  });

  test("P6: it never overwrites a record, and not half of one", async () => {
    await restore();
    const before = storedEvents(target);
    await expect(restore()).rejects.toMatchObject({ code: "already_exists" });
    await expect(restore({ accept: true })).rejects.toMatchObject({ code: "already_exists" });
    expect(storedEvents(target)).toEqual(before);
    for (const name of ["deskboard.db", "deskboard.db-wal", "deskboard.db-shm"]) {
      await rm(join(target, name), { force: true });
    }
    await expect(restore()).rejects.toMatchObject({ message: expect.stringContaining("anchor.json") });
  });

  test("P6: it refuses a folder that a running server owns, and says who", async () => {
    const error = restore({ dataDir: record.dataDir });
    await expect(error).rejects.toMatchObject({
      code: "record_unavailable",
      message: expect.stringContaining(`process ${process.pid}`),
    });
    await record.store.policy();
  });

  test("a folder that is no backup is none", async () => {
    await expect(restore({ from: work })).rejects.toMatchObject({ code: "not_found" });
    await writeFile(join(backup, "backup.json"), "{}");
    await expect(restore()).rejects.toMatchObject({ code: "invalid" });
  });
});

function alter(sql: string): void {
  const database = new Database(join(backup, "deskboard.db"));
  database.exec(sql);
  database.close();
}

async function rewrite(name: string, change: (content: Record<string, unknown>) => object): Promise<void> {
  const file = join(backup, name);
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, "utf8")))));
}

describe("a backup that was changed is refused with what is wrong, whether its key is here or not", () => {
  const otherPayload = `UPDATE "Event" SET "payload" = '{"text":"other"}' WHERE "position" = 20`;
  const changes: [string, () => unknown, RegExp][] = [
    ["an event", () => alter(otherPayload), /SHA-256[^]*Not as it was written: message, event 16 of majors/],
    ["its end", () => alter('DELETE FROM "Event" WHERE "position" = 21'), /is gone/],
    ["a request", () => alter(`UPDATE "UserRequest" SET "state" = 'denied'`), /SHA-256[^]*R/],
    ["some bytes behind its end", () => appendFile(join(backup, "deskboard.db"), "more"), /bytes instead of/],
    ["its length", () => truncate(join(backup, "deskboard.db"), 100_000), /bytes instead of[^]*deskboard\.db: /],
    ["the whole file", () => writeFile(join(backup, "deskboard.db"), "no database"), /cannot be read as a database/],
    ["the anchor, which is gone", () => rm(join(backup, "anchor.json")), /anchor\.json is missing/],
    ["the database, which is gone", () => rm(join(backup, "deskboard.db")), /deskboard\.db cannot be read/],
  ];
  test.each(changes)("P15: %s", async (_, change, words) => {
    await change();
    expect(await refusal()).toMatch(words);
    expect(await refusal({ anchorKey: null, accept: true })).toMatch(words);
  });

  test("P15: a table that no event names, with the description made to fit: the seal shows it", async () => {
    alter('UPDATE "Desk" SET "instructions" = \'sell everything\'');
    const { sha256: databaseSha256, bytes } = await fingerprintOf(join(backup, "deskboard.db"));
    await rewrite("backup.json", (content) => ({ ...content, databaseSha256, databaseBytes: bytes }));
    expect(await refusal()).toContain("does not have its seal");
  });

  test("P15: its description, or its anchor", async () => {
    await rewrite("backup.json", (content) => ({ ...content, madeAt: "2020-01-01T00:00:00.000Z" }));
    expect(await refusal({ accept: true })).toContain("does not have its seal");
    await cp(original, backup, { recursive: true });
    await rewrite("anchor.json", (content) => ({ ...content, at: "2020-01-01T00:00:00.000Z" }));
    expect(await refusal({ accept: true })).toContain("does not have its seal");
  });
});

describe("the key of a backup", () => {
  test("P15: where it is missing, or another, the restore explains what can be done", async () => {
    const missing = await refusal({ anchorKey: null });
    expect(missing).toContain("there is no key here to check its seal with");
    expect(missing).toContain("ANCHOR_KEY");
    expect(missing).toContain("--accept");
    expect(await refusal({ anchorKey: "the key of this machine" })).toContain("not made with the key of this machine");
  });

  test("in full knowledge it goes on under another key, given or new", async () => {
    const anchorKey = "the key of this machine";
    expect(await restore({ anchorKey, accept: true })).toMatchObject({ seal: "none" });
    await goOn({ anchorKey });
    await rm(target, { recursive: true });
    expect(await restore({ anchorKey: null, accept: true })).toMatchObject({ seal: "none" });
    await goOn();
  });

  test("one that came with it is enough, and is kept where only its owner may read it", async () => {
    await writeFile(join(backup, "anchor.key"), `${key}\n`);
    expect(await restore({ anchorKey: null })).toMatchObject({ seal: "brought" });
    await goOn();
  });
});

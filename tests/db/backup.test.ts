import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import { makeBackup, type BackupReport } from "#lib/db/backup/make-backup.ts";
import { storedEvents } from "#tests/support/stored-events.ts";
import { message, unit } from "#tests/support/record-rows.ts";
import { newDataDir, openTestRecord, realClock, sha256, type TestRecord } from "#tests/support/record.ts";
import { startChild } from "#tests/support/start-child.ts";
import { live } from "./lived-record.ts";

let work: string;
beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), "deskboard-backup-"));
});
afterEach(() => rm(work, { recursive: true, force: true }));

const keyOf = async (folder: string) => (await readFile(join(folder, "anchor.key"), "utf8")).trim();

async function backUp(
  dataDir: string,
  name: string,
  changes: Partial<Parameters<typeof makeBackup>[0]> = {},
): Promise<BackupReport> {
  const fixed = { dataDir, withKey: false, version: "0.0.0", clock: realClock, digest: sha256 };
  return await makeBackup({ ...fixed, to: join(work, name), ...changes });
}

/** What the audit finds in a copy, by the key of the folder that it was made of. */
async function findingsIn(folder: string, dataDir: string): Promise<string[]> {
  const { findings } = await auditRecord({ dataDir: folder, anchorKey: await keyOf(dataDir), digest: sha256 });
  return findings.map((finding) => finding.message);
}

describe("a backup", () => {
  test("P6: P15: made while another process writes, each is a moment of the record, with an anchor of just that moment", async () => {
    const dataDir = await newDataDir();
    const writer = startChild("record-child.ts", ["write", dataDir, "4"]);
    try {
      const positions: number[] = [];
      for (const name of ["one", "two", "three"]) {
        // Some more was confirmed before each.
        const confirmed = () => writer.lines.filter((line) => line.startsWith("confirmed")).length;
        await writer.count("confirmed", confirmed() + 150);
        const before = confirmed();
        const { position, checked } = await backUp(dataDir, name);
        expect(position).toBeGreaterThanOrEqual(before);
        expect(checked.events).toBe(position);
        positions.push(position);
        expect(JSON.parse(await readFile(join(work, name, "anchor.json"), "utf8"))).toMatchObject({ position });
      }
      expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      // It wrote on all the time.
      await writer.count("confirmed", (positions.at(-1) ?? 0) + 1);
      writer.process.kill("SIGKILL");
      await writer.ended;
      for (const [index, name] of ["one", "two", "three"].entries()) {
        const whole = storedEvents(dataDir).slice(0, positions[index]);
        expect(storedEvents(join(work, name))).toEqual(whole);
        expect(await findingsIn(join(work, name), dataDir)).toEqual([]);
      }
    } finally {
      writer.process.kill("SIGKILL");
      await writer.ended;
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  describe("of a record that has lived", () => {
    let record: TestRecord;
    beforeEach(async () => {
      record = await openTestRecord();
      await live(record.store);
    });
    afterEach(() => record.remove());

    test("P15: it has every table, passes the audit, and nobody else may read it", async () => {
      const { folder, position, databaseBytes } = await backUp(record.dataDir, "one");
      expect((await readdir(folder)).toSorted()).toEqual(["anchor.json", "backup.json", "deskboard.db"]);
      expect(await findingsIn(folder, record.dataDir)).toEqual([]);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      expect((await stat(join(folder, "deskboard.db"))).size).toBe(databaseBytes);
      expect((await record.store.heads()).map((head) => head.position)).toContain(position);
    });

    test("P16: the key is in it only where that was asked for, and then only its owner may read it", async () => {
      const without = await backUp(record.dataDir, "without");
      const key = await keyOf(record.dataDir);
      for (const file of await readdir(without.folder)) {
        expect(await readFile(join(without.folder, file), "latin1")).not.toContain(key);
      }
      const { folder } = await backUp(record.dataDir, "with", { withKey: true });
      expect(await keyOf(folder)).toBe(key);
      expect((await stat(join(folder, "anchor.key"))).mode & 0o777).toBe(0o600);
    });

    test("it never overwrites, and leaves nothing half made", async () => {
      await backUp(record.dataDir, "one");
      const before = await readFile(join(work, "one", "backup.json"), "utf8");
      await expect(backUp(record.dataDir, "one")).rejects.toMatchObject({ code: "already_exists" });
      await writeFile(join(work, "file"), "mine");
      await expect(backUp(record.dataDir, "file")).rejects.toMatchObject({ code: "already_exists" });
      expect(await readFile(join(work, "one", "backup.json"), "utf8")).toBe(before);
      expect(await readdir(work)).toEqual(["file", "one"]);
    });

    test("P15: a record that was changed is not given a fresh anchor: it says what is wrong, and makes none", async () => {
      await record.close();
      const database = new Database(join(record.dataDir, "deskboard.db"));
      database.exec(`UPDATE "Event" SET "payload" = '{"text":"other"}' WHERE "position" = 21`);
      database.close();
      await expect(backUp(record.dataDir, "one")).rejects.toMatchObject({
        code: "record_unavailable",
        message: expect.stringMatching(/does not pass the audit[^]*Not as it was written/),
      });
      expect(await readdir(work)).toEqual([]);
    });

    test("P15: what was cut off behind the last anchor is seen", async () => {
      await record.close();
      const database = new Database(join(record.dataDir, "deskboard.db"));
      database.exec('DELETE FROM "Event" WHERE "position" = 21');
      database.close();
      await expect(backUp(record.dataDir, "one")).rejects.toMatchObject({
        message: expect.stringContaining("is gone"),
      });
    });

    test("without the key, and without a database, it says what it needs", async () => {
      await rm(join(record.dataDir, "anchor.key"));
      await expect(backUp(record.dataDir, "one")).rejects.toMatchObject({
        code: "record_unavailable",
        message: expect.stringContaining("ANCHOR_KEY"),
      });
      await expect(backUp(join(work, "nowhere"), "one")).rejects.toMatchObject({ code: "not_found" });
      await expect(backUp(record.dataDir, "one", { anchorKey: "quite another key" })).rejects.toMatchObject({
        message: expect.stringContaining("under another key"),
      });
    });

    test("P6: the record goes on beside it", async () => {
      const [{ position }] = await Promise.all([
        backUp(record.dataDir, "one"),
        record.store.commit(unit({ events: [message("majors", "meanwhile")] })),
      ]);
      await record.store.commit(unit({ events: [message("majors", "later")] }));
      expect(storedEvents(record.dataDir).length).toBeGreaterThan(position);
    });
  });
});

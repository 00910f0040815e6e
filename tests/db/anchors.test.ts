import { copyFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, describe, expect, test, vi } from "vitest";
import { acceptRecord } from "#lib/db/accept-record.ts";
import { readAnchor } from "#lib/db/anchor-file.ts";
import { manualClock } from "#tests/support/manual-clock.ts";
import { message, unit } from "#tests/support/record-rows.ts";
import { newDataDir, openTestRecord, realClock, type TestRecord } from "#tests/support/record.ts";

const opened: TestRecord[] = [];

async function open(options: Parameters<typeof openTestRecord>[0] = {}): Promise<TestRecord> {
  const record = await openTestRecord(options);
  opened.push(record);
  return record;
}

afterEach(async () => {
  for (const record of opened.splice(0)) await record.remove();
});

async function say(record: TestRecord, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await record.store.commit(unit({ events: [message(index % 2 === 0 ? "majors" : "crypto", `${index}`)] }));
  }
}

function alter(record: TestRecord, sql: string): void {
  const database = new Database(join(record.dataDir, "deskboard.db"));
  database.exec(sql);
  database.close();
}

/** Opens what was closed and gives the words that stop it. */
async function refusal(record: TestRecord, options: Parameters<typeof openTestRecord>[0] = {}): Promise<string> {
  const error: unknown = await openTestRecord({ ...options, dataDir: record.dataDir }).then(
    () => null,
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ code: "record_unavailable" });
  return error instanceof Error ? error.message : "";
}

describe("anchors", () => {
  test("P15: the heads are written every minute while they change, and at the end", async () => {
    const clock = manualClock();
    const record = await open({ clock });
    const position = async () => (await readAnchor(record.dataDir))?.position;
    expect(await position()).toBe(0);
    await say(record, 3);
    clock.advance(59_999);
    expect(await position()).toBe(0);
    clock.advance(1);
    await vi.waitFor(async () => {
      expect(await position()).toBe(3);
    });
    await say(record, 1);
    await record.close();
    const anchor = await readAnchor(record.dataDir);
    expect(anchor).toMatchObject({
      position: 4,
      heads: [
        { deskName: "crypto", seq: 1 },
        { deskName: "majors", seq: 3 },
      ],
    });
  });

  test("P15: an anchor is only written where heads changed", async () => {
    const clock = manualClock();
    const record = await open({ clock });
    await say(record, 1);
    await record.writeAnchor();
    const before = await readAnchor(record.dataDir);
    clock.advance(60_000);
    await record.writeAnchor();
    expect(await readAnchor(record.dataDir)).toEqual(before);
  });

  test("P6: D2: a database that is older than its anchor stops the start", async () => {
    const record = await open();
    await say(record, 2);
    await record.close();
    const file = join(record.dataDir, "deskboard.db");
    await copyFile(file, `${file}.backup`);
    const later = await openTestRecord({ dataDir: record.dataDir });
    await say(later, 1);
    await later.close();
    await copyFile(`${file}.backup`, file);
    expect(await refusal(record)).toContain("event 2 of majors (position 3) is gone");
  });

  test("P6: D2: a database file beside an older -wal stops the start", async () => {
    const record = await open();
    await say(record, 4);
    const file = join(record.dataDir, "deskboard.db");
    await copyFile(`${file}-wal`, `${file}-wal.old`);
    await say(record, 4);
    await record.close();
    await copyFile(`${file}-wal.old`, `${file}-wal`);
    expect(await refusal(record)).toMatch(/is gone|is not the one that was there/);
  });

  test.each([
    ["the last event is gone", 'DELETE FROM "Event" WHERE "position" = 4', "event 2 of crypto (position 4) is gone"],
    ["all are gone", 'DELETE FROM "Event"', "event 2 of crypto (position 4) is gone"],
    [
      "a head has another hash",
      `UPDATE "Event" SET "hash" = 'x' WHERE "position" = 3`,
      "event 2 of majors (position 3) is not",
    ],
    [
      "a head has another seq",
      'UPDATE "Event" SET "seq" = 7 WHERE "position" = 3',
      "event 2 of majors (position 3) is not",
    ],
  ])("P15: where %s, the start stops", async (_, sql, words) => {
    const record = await open();
    await say(record, 4);
    await record.close();
    alter(record, sql);
    expect(await refusal(record)).toContain(words);
  });

  test("P15: a missing, a changed, an unreadable anchor, and one under another key stop the start", async () => {
    const record = await open();
    await say(record, 4);
    await record.close();
    const file = join(record.dataDir, "anchor.json");
    const text = await readFile(file, "utf8");
    expect(await refusal(record, { anchorKey: "another key, of the environment" })).toContain("ANCHOR_KEY");
    await writeFile(file, text.replace('"position": 4', '"position": 5'));
    expect(await refusal(record)).toContain("was changed");
    await writeFile(file, text.slice(0, 40));
    expect(await refusal(record)).toContain("cannot be read");
    await rm(file);
    expect(await refusal(record)).toContain("is missing");
    await writeFile(file, text);
    await openTestRecord({ dataDir: record.dataDir }).then((again) => again.close());
  });

  test("what does not fit can be accepted in full knowledge, while nobody owns the data", async () => {
    const record = await open();
    await say(record, 4);
    const accept = () => acceptRecord({ dataDir: record.dataDir, clock: realClock });
    await expect(accept()).rejects.toMatchObject({ code: "record_unavailable" });
    await record.close();
    alter(record, 'DELETE FROM "Event" WHERE "position" = 4');
    await refusal(record);
    expect(await accept()).toMatchObject({ position: 3 });
    const again = await openTestRecord({ dataDir: record.dataDir });
    expect(await again.store.heads()).toHaveLength(2);
    await again.close();
  });

  test("P16: the key is a file that only its owner may read, or the one that is given and then in no file", async () => {
    const record = await open();
    const file = join(record.dataDir, "anchor.key");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const key = (await readFile(file, "utf8")).trim();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await readFile(join(record.dataDir, "anchor.json"), "utf8")).not.toContain(key);
    await record.close();
    const dataDir = await newDataDir();
    for (const name of ["anchor.key", "anchor.json"]) await rm(join(dataDir, name));
    const given = await open({ dataDir, anchorKey: "a key of the environment" });
    await say(given, 1);
    await given.close();
    await expect(stat(join(dataDir, "anchor.key"))).rejects.toThrow("ENOENT");
  });
});

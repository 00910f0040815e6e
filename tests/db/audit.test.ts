import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { auditRecord, type AuditReport } from "#lib/db/audit/audit-record.ts";
import { eventHash } from "#lib/db/event-hash.ts";
import { openTestRecord, sha256 } from "#tests/support/record.ts";
import { startChild } from "#tests/support/start-child.ts";
import { live } from "./lived-record.ts";

let good = "";
let dataDir = "";

beforeAll(async () => {
  const record = await openTestRecord();
  await live(record.store);
  await record.close();
  good = record.dataDir;
});

afterAll(async () => {
  await rm(good, { recursive: true, force: true });
});

afterEach(async () => {
  if (dataDir !== "") await rm(dataDir, { recursive: true, force: true });
});

async function copyOfGood(): Promise<string> {
  dataDir = await mkdtemp(join(tmpdir(), "deskboard-test-"));
  await cp(good, dataDir, { recursive: true });
  return dataDir;
}

/** What the audit finds in a copy of the good record, after somebody had a hand on its database. */
async function auditAfter(alter: (database: Database.Database) => void): Promise<AuditReport> {
  const database = new Database(join(await copyOfGood(), "deskboard.db"));
  alter(database);
  database.close();
  return await auditRecord({ dataDir, digest: sha256 });
}

const sql = (text: string) => (database: Database.Database) => void database.exec(text);

interface Row {
  position: number;
  deskName: string;
  seq: number;
  kind: string;
  at: string;
  triggerId: string | null;
  payload: string;
  previousHash: string;
}

/** Changes a payload and computes every hash of the chain behind it anew, as someone who knows how would. */
function forgeFrom(position: number, payload: string) {
  return (database: Database.Database) => {
    database
      .prepare('UPDATE "Event" SET "payload" = ?, "bytes" = ? WHERE "position" = ?')
      .run(payload, payload.length, position);
    const rows = database.prepare(`SELECT * FROM "Event" WHERE "deskName" = 'majors' ORDER BY "seq"`).all() as Row[];
    let previousHash = "0".repeat(64);
    for (const row of rows) {
      const hash = eventHash({ ...row, previousHash, payloadText: row.payload }, sha256);
      database
        .prepare('UPDATE "Event" SET "previousHash" = ?, "hash" = ? WHERE "position" = ?')
        .run(previousHash, hash, row.position);
      previousHash = hash;
    }
  };
}

function positionOf(kind: string, nth = 0): number {
  const database = new Database(join(good, "deskboard.db"), { readonly: true });
  const rows = database.prepare('SELECT "position" FROM "Event" WHERE "kind" = ? ORDER BY "position"').all(kind) as {
    position: number;
  }[];
  database.close();
  return rows[nth]?.position ?? 0;
}

const swap = `UPDATE "Event" SET "position" = -1 WHERE "position" = 8;
  UPDATE "Event" SET "position" = 8 WHERE "position" = 9; UPDATE "Event" SET "position" = 9 WHERE "position" = -1;`;
const swapWhole = (database: Database.Database) => {
  const payloads = database
    .prepare('SELECT "payload", "position" FROM "Event" WHERE "position" IN (20, 21)')
    .all() as Row[];
  const [one, other] = payloads;
  const set = database.prepare('UPDATE "Event" SET "payload" = ?, "bytes" = ? WHERE "position" = ?');
  set.run(other?.payload, other?.payload.length, one?.position);
  set.run(one?.payload, one?.payload.length, other?.position);
};

const tampered: [what: string, alter: (database: Database.Database) => void, ...words: string[]][] = [
  [
    "a changed payload",
    sql(`UPDATE "Event" SET "payload" = replace("payload", 'Trim', 'Sell') WHERE "kind" = 'trigger_queued'`),
    "Not as it was written: trigger_queued, event 2 of majors (position 5) does not have its hash",
  ],
  [
    "a changed time",
    sql(`UPDATE "Event" SET "at" = '2026-09-08T14:00:00.000Z' WHERE "position" = 5`),
    "Not as it was written",
  ],
  ["a changed trigger", sql(`UPDATE "Event" SET "triggerId" = NULL WHERE "position" = 21`), "Not as it was written"],
  [
    "a removed last event",
    sql('DELETE FROM "Event" WHERE "position" = 21'),
    "event 17 of majors (position 21) is gone",
  ],
  [
    "a removed middle",
    sql('DELETE FROM "Event" WHERE "position" IN (7, 8)'),
    "Positions 7 to 8 are gone",
    "Seq 4 of majors is not where it should be",
    "The chain is broken before",
    "The call C1 (get_quote) of majors has 0 tool_call events",
  ],
  ["a swapped pair", sql(swap), "is not where it should be", "The chain is broken", "Not as it was written"],
  ["a swapped pair of payloads", swapWhole, "Not as it was written"],
  [
    "a whole desk's removed events",
    sql(`DELETE FROM "Event" WHERE "deskName" = 'crypto'`),
    "event 2 of crypto",
    "is gone",
  ],
  [
    "a request whose state its events don't explain",
    sql(`UPDATE "UserRequest" SET "state" = 'answered' WHERE "id" = 'R2'`),
    "R-2 (question) of majors is answered, but its events end with pending",
  ],
  [
    "a request that is gone",
    sql(`DELETE FROM "UserRequest" WHERE "id" = 'R2'`),
    "There is no request R2 for user_request",
  ],
  [
    "a request from nowhere",
    sql(`UPDATE "UserRequest" SET "id" = 'R9' WHERE "id" = 'R2'`),
    "R-2 (question) of majors does not begin with a user_request",
  ],
  [
    "a request of another tool",
    sql(`UPDATE "UserRequest" SET "tool" = 'get_quote' WHERE "id" = 'R1'`),
    "is not what user_request",
  ],
  [
    "a call of another status",
    sql(`UPDATE "ToolCall" SET "status" = 'failed' WHERE "id" = 'C3'`),
    "The call C3 (place_order) of majors is failed, but tool_result",
  ],
  [
    "a call of another result",
    sql(`UPDATE "ToolCall" SET "resultText" = 'x' WHERE "id" = 'C3'`),
    "The result of call C3",
  ],
  [
    "a call without its result",
    sql(`UPDATE "ToolCall" SET "status" = 'failed' WHERE "id" = 'C4'`),
    "has 0 results instead of 1",
  ],
  [
    "a finished call that runs again",
    sql(`UPDATE "ToolCall" SET "status" = 'running' WHERE "id" = 'C3'`),
    "has 1 results instead of 0",
  ],
  ["a call that is gone", sql(`DELETE FROM "ToolCall" WHERE "id" = 'C1'`), "There is no call C1 for tool_call"],
  ["a call of another name", sql(`UPDATE "ToolCall" SET "name" = 'x' WHERE "id" = 'C4'`), "is not what tool_call"],
  [
    "a trigger of another state",
    sql(`UPDATE "Trigger" SET "state" = 'done'`),
    "Trigger T1 of majors is done, but turn_started",
  ],
  ["a trigger that is gone", sql('DELETE FROM "Trigger"'), "There is no trigger T1 for trigger_queued"],
  [
    "a desk of another status",
    sql(`UPDATE "Desk" SET "status" = 'active' WHERE "name" = 'crypto'`),
    "The desk crypto is active, but desk_changed, event 1 of crypto (position 2) says paused",
  ],
  [
    "a desk from nowhere",
    sql(`UPDATE "Desk" SET "name" = 'x' WHERE "name" = 'crypto'`),
    "The desk x has no desk_changed",
  ],
  [
    "a changed rule",
    sql(`UPDATE "PolicyRule" SET "verdict" = 'allow' WHERE "id" = 'U2'`),
    "The rule U2 is not the one that",
  ],
  [
    "a rule from nowhere",
    sql(`UPDATE "PolicyRule" SET "id" = 'U9' WHERE "id" = 'U2'`),
    "The rule U9 (deny *) was added by no",
  ],
  [
    "a removed rule",
    sql(`DELETE FROM "PolicyRule" WHERE "id" = 'U2'`),
    "The rule U2 is gone, but no policy_changed removed it",
  ],
  [
    "rules at another version",
    sql('UPDATE "Policy" SET "version" = 7'),
    "at version 7, but their last policy_changed says 2",
  ],
  ["an event hidden from a filter", sql(`UPDATE "Event" SET "tool" = NULL WHERE "position" = 7`), "Would not be found"],
  [
    "an event that is no JSON",
    sql(`UPDATE "Event" SET "payload" = 'x', "bytes" = 1 WHERE "position" = 21`),
    "Cannot be read",
  ],
];

describe("audit", () => {
  test("P15: finds nothing in a good record, and says what it checked", async () => {
    const report = await auditAfter(() => {});
    expect(report.findings).toEqual([]);
    const { anchor, ...counts } = report.checked;
    expect(counts).toEqual({ events: 21, desks: 2, triggers: 1, calls: 4, requests: 2, rules: 2 });
    expect(anchor).toMatchObject({ position: 21 });
  });

  test.each(tampered)("P15: finds %s", async (_, alter, ...words) => {
    const report = await auditAfter(alter);
    const found = report.findings.map((finding) => finding.message).join("\n");
    for (const word of words) expect(found).toContain(word);
    expect(report.findingsCount).toBe(report.findings.length);
  });

  test("P15: finds a forged chain by the anchor, which the forger cannot make", async () => {
    const payload = '{"from":"person","name":"ann","text":"sell everything"}';
    const report = await auditAfter(forgeFrom(positionOf("message", 1), payload));
    const messages = report.findings.map((finding) => finding.message);
    expect(messages).toEqual([
      expect.stringMatching(/event 17 of majors \(position 21\) is not the one that was there/),
    ]);
  });

  test("P15: finds a changed anchor, one under another key, and none", async () => {
    const file = join(await copyOfGood(), "anchor.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"seq": 17', '"seq": 16'));
    const changed = await auditRecord({ dataDir, digest: sha256 });
    expect(changed.findings[0]?.message).toContain("was changed, or made under another key");
    await writeFile(file, text);
    const foreign = await auditRecord({ dataDir, digest: sha256, anchorKey: "another key, of the environment" });
    expect(foreign.findings).toHaveLength(1);
    await rm(join(dataDir, "anchor.key"));
    const keyless = await auditRecord({ dataDir, digest: sha256 });
    expect(keyless.findings[0]?.message).toContain("key is missing");
    await rm(file);
    const bare = await auditRecord({ dataDir, digest: sha256 });
    expect(bare.findings[0]?.message).toContain("There is no anchor");
    await writeFile(file, "{}");
    const broken = await auditRecord({ dataDir, digest: sha256 });
    expect(broken.findings[0]?.message).toContain("cannot be read as an anchor");
  });

  test("P15: npm run audit works beside a running owner, and ends with 1 where anything is wrong", async () => {
    const owner = startChild("record-child.ts", ["hold", await copyOfGood()]);
    await owner.line("owner");
    const passed = startChild("../../lib/server/audit-main.ts", ["--data-dir", dataDir]);
    expect(await passed.ended).toBe(0);
    expect(passed.lines.at(-1)).toBe("Nothing is wrong.");
    owner.process.stdin?.end();
    await owner.ended;

    const database = new Database(join(dataDir, "deskboard.db"));
    database.exec(`UPDATE "Desk" SET "status" = 'archived' WHERE "name" = 'crypto'`);
    database.close();
    const failed = startChild("../../lib/server/audit-main.ts", ["--data-dir", dataDir]);
    expect(await failed.ended).toBe(1);
    expect(failed.lines.slice(-2)).toEqual([
      "1 thing is wrong:",
      expect.stringContaining("The desk crypto is archived"),
    ]);
    const nowhere = startChild("../../lib/server/audit-main.ts", ["--data-dir", join(dataDir, "none")]);
    expect(await nowhere.ended).toBe(2);
    expect(nowhere.errors.join("\n")).toContain(`There is no database at ${join(dataDir, "none", "deskboard.db")}`);
  });
});

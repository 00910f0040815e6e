import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { recordLocation } from "#lib/db/record-location.ts";
import { connectClient } from "#lib/db/sqlite/connection.ts";
import { withSchemaEngine } from "#lib/db/sqlite/schema-engine.ts";
import { openTestRecord, type TestRecord } from "#tests/support/record.ts";

let record: TestRecord | undefined;

afterEach(async () => {
  await record?.remove();
  record = undefined;
});

async function databaseFile(): Promise<string> {
  record = await openTestRecord();
  return join(record.dataDir, "deskboard.db");
}

describe("SQLite", () => {
  test.each(["write", "read", "audit"] as const)("P2: a connection to %s has WAL and synchronous=FULL", async (use) => {
    const client = await connectClient(await databaseFile(), use);
    expect(await client.$queryRaw`PRAGMA journal_mode`).toEqual([{ journal_mode: "wal" }]);
    // 2 is FULL.
    expect(
      (await client.$queryRaw<{ synchronous: unknown }[]>`PRAGMA synchronous`).map((row) => Number(row.synchronous)),
    ).toEqual([2]);
    await client.$disconnect();
  });

  test("P2: a database that cannot keep what it confirms is refused", async () => {
    const inMemory = connectClient(":memory:", "write");
    await expect(inMemory).rejects.toMatchObject({
      code: "record_unavailable",
      message: expect.stringContaining("memory") as string,
    });
  });

  test.each(["read", "audit"] as const)("P15: a connection to %s cannot write", async (use) => {
    const client = await connectClient(await databaseFile(), use);
    await expect(client.$executeRaw`DELETE FROM "Event"`).rejects.toThrow(/readonly|read-only/);
    await client.$disconnect();
  });

  test("the migrations make what the schema says", async () => {
    const path = "prisma/schema.prisma";
    const files = [{ path, content: await readFile(path, "utf8") }];
    const file = await databaseFile();
    await record?.close();
    const diff = await withSchemaEngine(file, (engine) =>
      engine.diff({
        from: { tag: "schemaDatasource", files, configDir: "." },
        to: { tag: "schemaDatamodel", files },
        script: true,
        exitCode: true,
        filters: { externalTables: [], externalEnums: [] },
      }),
    );
    expect(diff).toMatchObject({ exitCode: 0 });
  });

  test("P16: where the database is, without what a URL may hide", () => {
    expect(recordLocation("/data", undefined)).toBe("/data/deskboard.db");
    expect(recordLocation("/data", "file:/other/x.db")).toBe("/other/x.db");
    expect(recordLocation("/data", "file:///other/a%20b.db")).toBe("/other/a b.db");
    expect(recordLocation("/data", "file:x.db")).toBe(join(process.cwd(), "x.db"));
    for (const url of ["postgresql://ann:secret@host/db", "file:", "file::memory:", "file:x.db?mode=ro", "x.db"]) {
      expect(() => recordLocation("/data", url)).toThrow(expect.objectContaining({ code: "invalid" }) as Error);
    }
    expect(() => recordLocation("/data", "postgresql://ann:secret@host/db")).toThrow(/^(?!.*secret)/);
  });
});

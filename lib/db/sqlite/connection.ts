import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import { AppError } from "#lib/core/app-error.ts";
import { PrismaClient } from "#lib/db/generated/sqlite/client.ts";

/** How a connection is meant to be used. Only the writer writes; the audit also works beside a running server. */
export type ConnectionUse = "write" | "read" | "audit";

const pragmas: Record<ConnectionUse, string> = {
  write: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
  read: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA query_only = ON;",
  audit: "PRAGMA synchronous = FULL; PRAGMA query_only = ON;",
};

// Waiting for a lock stops the whole process, and while it owns the data nobody else should hold one for long.
const lockWaitMs: Record<ConnectionUse, number> = { write: 250, read: 250, audit: 5000 };

/** Sets what every connection needs and reads it back: on a WAL file, `synchronous` is NORMAL unless it is set. */
async function prepareConnection(adapter: SqlDriverAdapter, use: ConnectionUse): Promise<void> {
  await adapter.executeScript(pragmas[use]);
  const journalMode = await readPragma(adapter, "journal_mode");
  const synchronous = await readPragma(adapter, "synchronous");
  // 2 is FULL.
  if (journalMode === "wal" && Number(synchronous) === 2) return;
  throw new AppError(
    "record_unavailable",
    `The database does not keep what it confirms: journal_mode is ${String(journalMode)} and synchronous is ` +
      `${String(synchronous)}, but wal and 2 (FULL) are needed. Is DATA_DIR on a file system that supports WAL?`,
  );
}

async function readPragma(adapter: SqlDriverAdapter, name: string): Promise<unknown> {
  const result = await adapter.queryRaw({ sql: `PRAGMA ${name}`, args: [], argTypes: [] });
  return result.rows[0]?.[0];
}

/** Prisma's adapter for SQLite with our pragmas on every connection that it makes. */
class RecordAdapterFactory extends PrismaBetterSqlite3 {
  readonly #use: ConnectionUse;

  constructor(file: string, use: ConnectionUse) {
    super({ url: `file:${file}`, readonly: use === "audit", fileMustExist: use !== "write", timeout: lockWaitMs[use] });
    this.#use = use;
  }

  override async connect(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect();
    try {
      await prepareConnection(adapter, this.#use);
    } catch (error) {
      await adapter.dispose();
      throw error;
    }
    return adapter;
  }
}

/**
 * A client with one connection of its own, connected.
 * @throws AppError `record_unavailable` where WAL or `synchronous=FULL` does not hold.
 */
export async function connectClient(file: string, use: ConnectionUse): Promise<PrismaClient> {
  const client = new PrismaClient({ adapter: new RecordAdapterFactory(file, use) });
  await client.$connect();
  return client;
}

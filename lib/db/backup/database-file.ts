import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import Database from "better-sqlite3";

/** The name that a database has in a backup. */
export const databaseName = "deskboard.db";

const lockWaitMs = 5000;

/**
 * Writes one moment of a database into a new file, also while another process writes: `VACUUM INTO` reads in one
 * transaction, which in WAL mode keeps nobody from writing. What was deleted is not in the copy.
 */
export function copyDatabase(file: string, to: string): void {
  const source = new Database(file, { readonly: true, fileMustExist: true, timeout: lockWaitMs });
  try {
    source.prepare("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
}

/** Puts a copy that nobody else has open into WAL mode, and gives what SQLite finds wrong with it. */
export function checkDatabase(file: string): string[] {
  try {
    const database = new Database(file, { fileMustExist: true });
    try {
      database.pragma("journal_mode = WAL");
      const rows = database.pragma("integrity_check(20)") as { integrity_check: string }[];
      return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
    } finally {
      database.close();
    }
  } catch (error) {
    return [`it cannot be read as a database (${error instanceof Error ? error.message : String(error)})`];
  }
}

/** Puts a copy that nobody has open on disk, as one file. */
export async function settleFile(file: string): Promise<void> {
  for (const beside of [`${file}-wal`, `${file}-shm`]) await rm(beside, { force: true });
  await syncPath(file);
}

/** Makes sure that a file, or the names in a folder, are on disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The SHA-256 of a file and its length. */
export async function fingerprintOf(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { AppError } from "#lib/core/app-error.ts";

/** The sole right to write in a folder, until it is released or the process ends. */
export interface Ownership {
  release(): void;
}

/**
 * Takes the sole right to a data folder, by an exclusive lock of SQLite on a file in it: the operating system drops it
 * with the process, however that ends. That file is never opened in any other way: closing it would drop the lock.
 * @throws AppError `record_unavailable`, naming the owner, where another process has it.
 */
export function takeOwnership(folder: string, nowIso: string): Ownership {
  const ownerFile = join(folder, "owner.json");
  const lock = new Database(join(folder, "owner.lock"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw new AppError("record_unavailable", `${folder} is in use by ${ownerInWords(ownerFile)}.`, {
      cause: error,
    });
  }
  writeFileSync(ownerFile, `${JSON.stringify({ pid: process.pid, since: nowIso })}\n`);
  return { release: () => lock.close() };
}

function ownerInWords(ownerFile: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(ownerFile, "utf8")) as Record<string, unknown>;
    return `another Deskboard: process ${String(pid)}, since ${String(since)}`;
  } catch {
    return "another Deskboard that is just starting";
  }
}

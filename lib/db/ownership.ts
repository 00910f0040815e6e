import { readFileSync, rmSync, writeFileSync } from "node:fs";
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
  return {
    release() {
      rmSync(ownerFile, { force: true });
      lock.close();
    },
  };
}

// The owner writes its name just after it has the lock, and a killed one leaves its name behind.
const lookMs = 50;
const looks = 20;

function ownerInWords(ownerFile: string): string {
  for (let look = 0; look < looks; look += 1) {
    const owner = readOwner(ownerFile);
    if (owner !== null) return `another Deskboard: process ${owner.pid}, since ${owner.since}`;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookMs);
  }
  return "another process that has not said who it is";
}

function readOwner(ownerFile: string): { pid: number; since: string } | null {
  try {
    const owner = JSON.parse(readFileSync(ownerFile, "utf8")) as { pid: number; since: string };
    return isAlive(owner.pid) ? owner : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AppError } from "#lib/core/app-error.ts";
import { isoNow, type Clock } from "#lib/core/ports/clock.ts";
import type { Digest } from "#lib/core/ports/digest.ts";
import { anchorPath, writeAnchor } from "#lib/db/anchor-file.ts";
import { anchorKeyFile, readAnchorKey } from "#lib/db/anchor-key.ts";
import { sealAnchor } from "#lib/db/anchor.ts";
import { auditRecord, type AuditReport } from "#lib/db/audit/audit-record.ts";
import { readHeads } from "#lib/db/read-events.ts";
import { recordLocation } from "#lib/db/record-location.ts";
import { connectClient } from "#lib/db/sqlite/connection.ts";
import { writeAtomically } from "#lib/db/write-atomically.ts";
import { sealManifest, writeManifest } from "./backup-manifest.ts";
import { checkDatabase, copyDatabase, databaseName, fingerprintOf, settleFile, syncPath } from "./database-file.ts";
import { findingsInLines } from "./findings-in-lines.ts";

export interface BackupOptions {
  dataDir: string;
  databaseUrl?: string | undefined;
  anchorKey?: string | null | undefined;
  /** The folder that becomes the backup; it must not exist, or be empty. */
  to: string;
  /** Whether the anchors' key goes in, too: then whoever has the backup can forge one. */
  withKey: boolean;
  /** The version of this Deskboard. */
  version: string;
  clock: Clock;
  digest: Digest;
}

export interface BackupReport {
  folder: string;
  /** The last event that is in it. */
  position: number;
  databaseBytes: number;
  withKey: boolean;
  checked: AuditReport["checked"];
}

/**
 * Copies everything that must last into a new folder, also while its owner writes: one moment of the database, and an
 * anchor of just that moment. The copy is checked whole, by SQLite and by the audit, before it gets its name.
 * @throws AppError `not_found` without a database, `already_exists` where something is in the way, `record_unavailable`
 *   where the key is missing or the record does not pass the audit: such a one is not given a fresh anchor.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupReport> {
  const { dataDir, withKey, version, clock, digest } = options;
  const file = recordLocation(dataDir, options.databaseUrl);
  if (!existsSync(file)) throw new AppError("not_found", `There is no database at ${file}.`);
  const key = options.anchorKey ?? (await readAnchorKey(dataDir));
  if (key === null) throw keyMissing(dataDir);
  const to = resolve(options.to);
  if (existsSync(to) && (await entriesOf(to)) !== 0) {
    throw new AppError("already_exists", `${to} is there already, and a backup never overwrites.`);
  }
  await mkdir(dirname(to), { recursive: true });
  // It gets its name only when it is whole.
  const folder = await mkdtemp(`${to}.partial-`);
  try {
    // Before the database: what an anchor names has to be in what is copied after it.
    if (existsSync(anchorPath(dataDir))) await copyFile(anchorPath(dataDir), anchorPath(folder));
    const madeAt = isoNow(clock);
    const copy = join(folder, databaseName);
    copyDatabase(file, copy);
    const problems = checkDatabase(copy);
    if (problems.length > 0) throw unfit("SQLite finds the copy damaged", problems);
    const { checked, findings, findingsCount } = await auditRecord({ dataDir: folder, anchorKey: key, digest });
    if (findingsCount > 0) {
      throw unfit("the record does not pass the audit", findingsInLines(findings, findingsCount));
    }
    const anchor = sealAnchor(key, await headsOf(copy), madeAt);
    await writeAnchor(folder, anchor);
    if (withKey) await writeAtomically(join(folder, anchorKeyFile), `${key}\n`, 0o600);
    await settleFile(copy);
    const { sha256: databaseSha256, bytes: databaseBytes } = await fingerprintOf(copy);
    const { position } = anchor;
    const content = { version: 1 as const, madeAt, madeBy: version, position, databaseBytes, databaseSha256 };
    await writeManifest(folder, sealManifest(key, content));
    await rename(folder, to);
    await syncPath(dirname(to));
    return { folder: to, position, databaseBytes, withKey, checked };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function headsOf(file: string) {
  const client = await connectClient(file, "audit");
  try {
    return await readHeads(client);
  } finally {
    await client.$disconnect();
  }
}

/** How much is in a folder; something that is no folder counts as full. */
async function entriesOf(path: string): Promise<number> {
  try {
    return (await readdir(path)).length;
  } catch {
    return 1;
  }
}

function unfit(why: string, lines: readonly string[]): AppError {
  return new AppError(
    "record_unavailable",
    [
      `No backup was made: ${why}.`,
      ...lines.map((line) => `  ${line}`),
      "To keep what is there as it is, stop the server and copy its whole data folder.",
    ].join("\n"),
  );
}

function keyMissing(dataDir: string): AppError {
  return new AppError(
    "record_unavailable",
    `No backup was made: the anchors' key is missing. The server has it in ANCHOR_KEY or in ${join(dataDir, anchorKeyFile)}; ` +
      "give this command the same. Without it nobody could tell later whether the backup was changed.",
  );
}

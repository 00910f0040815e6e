import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AppError } from "#lib/core/app-error.ts";
import { isoNow, type Clock } from "#lib/core/ports/clock.ts";
import type { Digest } from "#lib/core/ports/digest.ts";
import { anchorPath, writeAnchor } from "#lib/db/anchor-file.ts";
import { anchorKey, anchorKeyFile, readAnchorKey } from "#lib/db/anchor-key.ts";
import { sealAnchor } from "#lib/db/anchor.ts";
import { takeOwnership, type Ownership } from "#lib/db/ownership.ts";
import { recordLocation } from "#lib/db/record-location.ts";
import { writeAtomically } from "#lib/db/write-atomically.ts";
import { readManifest } from "./backup-manifest.ts";
import { checkBackup, type CheckedBackup } from "./check-backup.ts";
import { databaseName, settleFile, syncPath } from "./database-file.ts";

export interface RestoreOptions {
  /** The backup's folder. */
  from: string;
  /** The data folder that it becomes; a record must not be in it. */
  dataDir: string;
  databaseUrl?: string | undefined;
  anchorKey?: string | null | undefined;
  /** The key of this machine, for a folder that has none yet and where none is given. */
  machineKey?: string | null | undefined;
  /** Go on although the backup's seal cannot be checked, for want of its key. Nothing else is ever accepted. */
  accept: boolean;
  clock: Clock;
  digest: Digest;
}

export interface RestoreReport {
  dataDir: string;
  file: string;
  madeAt: string;
  madeBy: string;
  events: number;
  /** The last event that is in it. */
  position: number;
  /** By which key the seal was checked: ours, one that came with the backup, or none. */
  seal: CheckedBackup["seal"];
}

/**
 * Puts a backup into a data folder in which there is no record: checks a copy of it whole, and only then gives that its
 * names. Whatever fails, no record is left half there, and none that was there is touched.
 * @throws AppError `record_unavailable` while a server owns the folder, `already_exists` where a record is in it,
 *   `not_found` without a backup, `invalid` that says what is wrong with the backup.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const from = resolve(options.from);
  const dataDir = resolve(options.dataDir);
  const file = recordLocation(dataDir, options.databaseUrl);
  const manifest = await readManifest(from);
  const owned: Ownership[] = [];
  try {
    for (const folder of new Set([dataDir, dirname(file)])) {
      await mkdir(folder, { recursive: true });
      owned.push(takeOwnership(folder, isoNow(options.clock)));
    }
    refuseToOverwrite(dataDir, file);
    const staging = await mkdtemp(join(dirname(file), "restoring-"));
    try {
      const kept = options.anchorKey ?? (await readAnchorKey(dataDir));
      const ours = kept ?? options.machineKey ?? null;
      const { accept, digest } = options;
      const checked = await checkBackup({ from, staging, manifest, ours, accept, digest });
      await settleFile(join(staging, databaseName));
      // A key that the folder does not have yet has to come with its anchor.
      const key = kept === null && checked.seal !== "none" ? (ours ?? checked.broughtKey) : null;
      if (key !== null) await writeAtomically(join(dataDir, anchorKeyFile), `${key}\n`, 0o600);
      await giveNames(options, { dataDir, file, staging, checked });
      const { madeAt, madeBy, position } = manifest;
      return { dataDir, file, madeAt, madeBy, position, events: checked.events, seal: checked.seal };
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } finally {
    for (const ownership of owned.toReversed()) ownership.release();
  }
}

/** The database comes last: before it is there, nothing would start on the rest. */
async function giveNames(
  options: RestoreOptions,
  { dataDir, file, staging, checked }: { dataDir: string; file: string; staging: string; checked: CheckedBackup },
): Promise<void> {
  const { anchor } = checked;
  if (checked.seal === "none") {
    const key = await anchorKey(dataDir, options.anchorKey);
    await writeAnchor(dataDir, sealAnchor(key, anchor.heads, isoNow(options.clock)));
  } else await writeAnchor(dataDir, anchor);
  await rename(join(staging, databaseName), file);
  await syncPath(dirname(file));
}

function refuseToOverwrite(dataDir: string, file: string): void {
  const there = [file, `${file}-wal`, anchorPath(dataDir)].find((path) => existsSync(path));
  if (there === undefined) return;
  throw new AppError(
    "already_exists",
    `There is a record already: ${there}. A restore never overwrites: move the old one away, or restore into another folder.`,
  );
}

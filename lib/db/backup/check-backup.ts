import { randomBytes } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError, isAppError } from "#lib/core/app-error.ts";
import type { Digest } from "#lib/core/ports/digest.ts";
import { anchorPath, readAnchor, writeAnchor } from "#lib/db/anchor-file.ts";
import { readAnchorKey } from "#lib/db/anchor-key.ts";
import { isSealedBy, sealAnchor, type Anchor } from "#lib/db/anchor.ts";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import { applyMigrations } from "#lib/db/sqlite/migrations.ts";
import { isManifestSealedBy, type BackupManifest } from "./backup-manifest.ts";
import { checkDatabase, databaseName, fingerprintOf } from "./database-file.ts";
import { findingsInLines } from "./findings-in-lines.ts";

export interface CheckedBackup {
  anchor: Anchor;
  events: number;
  seal: "ours" | "brought" | "none";
  /** The key that came with the backup. */
  broughtKey: string | null;
}

/**
 * Copies a backup into a folder of our own and checks that copy: its length and hash, the seals, SQLite's own check and
 * the audit.
 * @throws AppError `invalid` that lists everything that is wrong, or explains the key that is missing.
 */
export async function checkBackup(options: {
  from: string;
  staging: string;
  manifest: BackupManifest;
  /** The key of this machine. */
  ours: string | null;
  accept: boolean;
  digest: Digest;
}): Promise<CheckedBackup> {
  const { from, staging, manifest, ours, accept, digest } = options;
  const copy = join(staging, databaseName);
  await copyFile(join(from, databaseName), copy).catch((error: unknown) => {
    throw refusal([`${databaseName} cannot be read (${error instanceof Error ? error.message : String(error)}).`]);
  });
  const anchor = await readAnchorOrNull(from);
  if (anchor === null) throw refusal([`${anchorPath(from)} is missing, or cannot be read as an anchor.`]);
  const broughtKey = await readAnchorKey(from);
  const key = ours ?? broughtKey;

  const problems: string[] = [];
  const { sha256, bytes } = await fingerprintOf(copy);
  if (sha256 !== manifest.databaseSha256) {
    const length =
      bytes === manifest.databaseBytes ? "" : ` It has ${bytes} bytes instead of ${manifest.databaseBytes}.`;
    problems.push(`${databaseName} is not the file that was backed up: its SHA-256 is another.${length}`);
  }
  const seal = key === null ? "unknown" : sealOf(key, manifest, anchor);
  if (seal === "changed") {
    problems.push("Of the backup's description and its anchor, one does not have its seal: it was changed.");
  }
  const damage = checkDatabase(copy);
  problems.push(...damage.map((text) => `${databaseName}: ${text}.`));
  let events = 0;
  if (damage.length === 0) {
    const audited = await auditCopy(staging, anchor, digest);
    problems.push(...audited.problems);
    events = audited.events;
  }
  if (problems.length > 0) throw refusal(problems);
  if (seal === "good") return { anchor, events, broughtKey, seal: ours === null ? "brought" : "ours" };
  if (!accept) throw keyExplained(key === null);
  return { anchor, events, broughtKey, seal: "none" };
}

function sealOf(key: string, manifest: BackupManifest, anchor: Anchor): "good" | "changed" | "unknown" {
  const fits = [isManifestSealedBy(key, manifest), isSealedBy(key, anchor)];
  if (fits.every(Boolean)) return "good";
  // Where neither has it, both may well be of another key; where one has it, the other was changed.
  return fits.some(Boolean) ? "changed" : "unknown";
}

/** The audit of the copy against the backup's anchor. Who sealed that is told apart elsewhere: here it counts as ours. */
async function auditCopy(
  staging: string,
  anchor: Anchor,
  digest: Digest,
): Promise<{ problems: string[]; events: number }> {
  const key = randomBytes(32).toString("hex");
  try {
    // It may be of an older version.
    await applyMigrations(join(staging, databaseName));
    await writeAnchor(staging, sealAnchor(key, anchor.heads, anchor.at));
    const { findings, findingsCount, checked } = await auditRecord({ dataDir: staging, anchorKey: key, digest });
    return { problems: findingsInLines(findings, findingsCount), events: checked.events };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problems: [`The record in it cannot be audited: ${why}`], events: 0 };
  }
}

async function readAnchorOrNull(folder: string): Promise<Anchor | null> {
  try {
    return await readAnchor(folder);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

function refusal(problems: readonly string[]): AppError {
  const lines = problems.map((problem) => `  ${problem}`);
  return new AppError("invalid", ["Nothing was restored. This backup is not as it was made:", ...lines].join("\n"));
}

function keyExplained(isMissing: boolean): AppError {
  const why = isMissing
    ? "there is no key here to check its seal with"
    : "its seal was not made with the key of this machine";
  return new AppError(
    "invalid",
    [
      `Nothing was restored: ${why}. The record in it fits together, but whether it is the one that was backed up, or one that somebody made to fit, cannot be told.`,
      "  Best: set ANCHOR_KEY to the key of the machine that made the backup (its ANCHOR_KEY, or the text in its anchor.key), and restore again.",
      "  If that key is lost, or is to be another from now on, and you know where this backup has been: restore with --accept. The record then gets an anchor under the key of this machine, and is protected from then on.",
    ].join("\n"),
  );
}

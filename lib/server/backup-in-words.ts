import type { BackupReport } from "#lib/db/backup/make-backup.ts";
import type { RestoreReport } from "#lib/db/backup/restore-backup.ts";

/** What the backup prints: what is in it, how it was checked, what is not in it, and how to restore it. */
export function backupInWords({ folder, position, databaseBytes, withKey, checked }: BackupReport): string[] {
  const { events, desks, calls, requests } = checked;
  return [
    `Backed up to ${folder}`,
    `  deskboard.db  ${sizeInWords(databaseBytes)}: ${events} events (up to position ${position}), ${desks} desks, ${calls} calls, ${requests} requests, with their pictures`,
    "  anchor.json   the heads of all chains at that moment, sealed",
    "  backup.json   what this is, with the database's SHA-256, sealed",
    ...(withKey ? ["  anchor.key    the anchors' key, because you asked for it"] : []),
    "Checked: the copy passes SQLite's integrity check and the whole audit.",
    withKey
      ? "WARNING: whoever has this backup has the key with it, and can change the record so that nobody sees it. Keep it where only you can reach it."
      : "The anchors' key is not in it (ANCHOR_KEY, or anchor.key in the data folder): keep a copy of that somewhere else. Without it a restore works only with --accept.",
    `To restore it: npm run restore -- --from ${quotedPath(folder)}`,
  ];
}

const sealWords: Record<RestoreReport["seal"], string> = {
  ours: "Checked: it is what was backed up, to the last byte, by the key of this machine; SQLite's integrity check and the whole audit pass.",
  brought:
    "Checked: SQLite's integrity check and the whole audit pass, and the seal fits the key that came with the backup. " +
    "That shows that nothing broke, not that nobody changed it who had the backup in hands. The key is now in anchor.key.",
  none:
    "Accepted as you asked: SQLite's integrity check and the whole audit pass, but whether this is what was backed up " +
    "could not be told. Its anchor is now under the key of this machine.",
};

/** What the restore prints: what was restored, how it was checked, and what happens next. */
export function restoreInWords(report: RestoreReport, { isSettingsFolder }: { isSettingsFolder: boolean }): string[] {
  const { dataDir, file, madeAt, madeBy, events, position, seal } = report;
  const start = isSettingsFolder ? "npm start" : `DATA_DIR=${quotedPath(dataDir)} npm start`;
  return [
    `Restored ${events} events (up to position ${position}) into ${file}`,
    `  from the backup of ${madeAt}, made by Deskboard ${madeBy}.`,
    sealWords[seal],
    `Next: ${start}`,
    "  It goes on from that moment. Holds and questions whose time is over expire; what was approved and had not started is",
    "  asked for again; a write that was running becomes an uncertain call, which a person has to look into.",
    "  What was done after the backup was made is not in it: what the desks ordered since then, check at the broker first.",
  ];
}

function sizeInWords(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** A path as a shell takes it. */
function quotedPath(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

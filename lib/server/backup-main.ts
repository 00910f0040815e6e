// `npm run backup [-- --to FOLDER] [--with-key]`: a checked copy of everything that must last, in a process of its own,
// also while the server runs. It goes into a new folder of `backups`, of FOLDER where that is there, or becomes FOLDER.
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "#package.json" with { type: "json" };
import { isoNow } from "#lib/core/ports/clock.ts";
import { makeBackup } from "#lib/db/backup/make-backup.ts";
import { backupInWords } from "./backup-in-words.ts";
import { readProcessSettings } from "./env.ts";
import { printLines, runCommand } from "./run-command.ts";
import { systemClock } from "./system-clock.ts";

/** A folder that is there gets one folder a backup, named after the time; any other name is the backup's own. */
function placeOf(to: string | undefined): string {
  const name = `deskboard-${isoNow(systemClock).slice(0, 19).replaceAll(":", "")}Z`;
  if (to === undefined) return resolve("backups", name);
  const path = resolve(to);
  return existsSync(path) && statSync(path).isDirectory() ? join(path, name) : path;
}

await runCommand("There is no new backup.", async () => {
  const { values } = parseArgs({ options: { to: { type: "string" }, "with-key": { type: "boolean" } } });
  const { dataDir, databaseUrl, anchorKey } = readProcessSettings();
  const report = await makeBackup({
    dataDir,
    databaseUrl,
    anchorKey,
    to: placeOf(values.to),
    withKey: values["with-key"] === true,
    version: packageJson.version,
    clock: systemClock,
    digest: (text) => createHash("sha256").update(text).digest("hex"),
  });
  printLines(backupInWords(report));
  return 0;
});

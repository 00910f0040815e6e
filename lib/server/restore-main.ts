// `npm run restore -- --from BACKUP [--to DATA_DIR] [--accept]`: checks a backup and puts it into a data folder in which
// there is no record. With `--accept` also one whose seal cannot be checked, for want of its key.
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readAnchorKey } from "#lib/db/anchor-key.ts";
import { restoreBackup } from "#lib/db/backup/restore-backup.ts";
import { restoreInWords } from "./backup-in-words.ts";
import { readProcessSettings } from "./env.ts";
import { printLines, runCommand } from "./run-command.ts";
import { StartError } from "./start-error.ts";
import { systemClock } from "./system-clock.ts";

await runCommand("There is no restored record.", async () => {
  const { values } = parseArgs({
    options: { from: { type: "string" }, to: { type: "string" }, accept: { type: "boolean" } },
  });
  if (values.from === undefined) throw new StartError("Say which backup: npm run restore -- --from <its folder>");
  const settings = readProcessSettings();
  const location =
    values.to === undefined
      ? { dataDir: settings.dataDir, databaseUrl: settings.databaseUrl }
      : { dataDir: resolve(values.to) };
  const report = await restoreBackup({
    ...location,
    from: resolve(values.from),
    anchorKey: settings.anchorKey,
    machineKey: await readAnchorKey(settings.dataDir),
    accept: values.accept === true,
    clock: systemClock,
    digest: (text) => createHash("sha256").update(text).digest("hex"),
  });
  printLines(restoreInWords(report, { isSettingsFolder: report.dataDir === settings.dataDir }));
  return 0;
});

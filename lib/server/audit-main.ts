// `npm run audit [-- --data-dir DIR] [--accept]`: checks the whole record, in a process of its own, also while the server
// runs. It ends with 1 where anything is wrong. With `--accept`, and the server stopped, it then replaces the last anchor
// by one of the record as it is.
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { acceptRecord } from "#lib/db/accept-record.ts";
import { readAnchorKey } from "#lib/db/anchor-key.ts";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import { auditInWords } from "./audit-in-words.ts";
import { readProcessSettings } from "./env.ts";
import { printLines, runCommand } from "./run-command.ts";
import { systemClock } from "./system-clock.ts";

await runCommand("The record could not be audited.", async () => {
  const { values } = parseArgs({ options: { "data-dir": { type: "string" }, accept: { type: "boolean" } } });
  const settings = readProcessSettings();
  const folder = values["data-dir"];
  const location =
    folder === undefined
      ? { dataDir: settings.dataDir, databaseUrl: settings.databaseUrl }
      : { dataDir: resolve(folder) };
  const { anchorKey } = settings;
  // A backup has no key of its own: it was sealed with this machine's.
  const key = anchorKey ?? (await readAnchorKey(location.dataDir)) ?? (await readAnchorKey(settings.dataDir));
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  const report = await auditRecord({ ...location, anchorKey: key, digest });
  printLines(auditInWords(report));
  if (values.accept === true) {
    const anchor = await acceptRecord({ ...location, anchorKey, clock: systemClock });
    printLines([`Accepted: the anchor is now that of position ${anchor.position}.`]);
  }
  return report.findingsCount > 0 ? 1 : 0;
});

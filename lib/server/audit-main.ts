// `npm run audit [-- --data-dir DIR] [--accept]`: checks the whole record, in a process of its own, also while the server
// runs. It ends with 1 where anything is wrong. With `--accept`, and the server stopped, it then replaces the last anchor
// by one of the record as it is.
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isAppError } from "#lib/core/app-error.ts";
import { acceptRecord } from "#lib/db/accept-record.ts";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import { auditInWords } from "./audit-in-words.ts";
import { readProcessSettings } from "./env.ts";
import { escapeControls } from "./escape-controls.ts";
import { isStartError } from "./start-error.ts";
import { systemClock } from "./system-clock.ts";

async function run(): Promise<number> {
  const { values } = parseArgs({ options: { "data-dir": { type: "string" }, accept: { type: "boolean" } } });
  const settings = readProcessSettings();
  const folder = values["data-dir"];
  const location =
    folder === undefined
      ? { dataDir: settings.dataDir, databaseUrl: settings.databaseUrl }
      : { dataDir: resolve(folder) };
  const { anchorKey } = settings;
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  const report = await auditRecord({ ...location, anchorKey, digest });
  for (const line of auditInWords(report)) process.stdout.write(`${escapeControls(line)}\n`);
  if (values.accept === true) {
    const anchor = await acceptRecord({ ...location, anchorKey, clock: systemClock });
    process.stdout.write(`Accepted: the anchor is now that of position ${anchor.position}.\n`);
  }
  return report.findingsCount > 0 ? 1 : 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  const isExpected = isAppError(error) || isStartError(error);
  const text = isExpected || !(error instanceof Error) ? String(error) : (error.stack ?? error.message);
  process.stderr.write(`The record could not be audited.\n${text.split("\n").map(escapeControls).join("\n")}\n`);
  process.exitCode = 2;
}

import type { Prisma } from "#lib/db/generated/sqlite/client.ts";
import { fromStoredText } from "#lib/db/stored-text.ts";
import { eventInWords, payloadOf, placeOf } from "./event-place.ts";
import type { Findings } from "./finding.ts";

/** Compares each desk's status with its last `desk_changed`. Gives how many desks there are. */
export async function auditDesks(reader: Prisma.TransactionClient, findings: Findings): Promise<number> {
  const desks = await reader.desk.findMany({ select: { name: true, status: true }, orderBy: { name: "asc" } });
  for (const { name, status } of desks) {
    const deskName = fromStoredText(name);
    const where = { deskName: name, kind: "desk_changed" };
    const last = await reader.event.findFirst({ where, orderBy: { position: "desc" } });
    if (last === null) {
      findings.add(`The desk ${deskName} has no desk_changed.`, { deskName });
      continue;
    }
    const said = payloadOf(last)?.["status"];
    if (said === status) continue;
    findings.add(`The desk ${deskName} is ${status}, but ${eventInWords(last)} says ${String(said)}.`, placeOf(last));
  }
  return desks.length;
}

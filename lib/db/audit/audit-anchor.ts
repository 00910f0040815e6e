import type { Anchor } from "#lib/db/anchor.ts";
import { isSealedBy, missingHead } from "#lib/db/anchor.ts";
import type { Prisma } from "#lib/db/generated/sqlite/client.ts";
import { readHeadAt } from "#lib/db/read-events.ts";
import type { Findings } from "./finding.ts";

/** Verifies the last anchor: its MAC, and that each of its heads is in the record with its hash. */
export async function auditAnchor(
  reader: Prisma.TransactionClient,
  anchor: Anchor | null,
  key: string | null,
  findings: Findings,
): Promise<void> {
  if (anchor === null) {
    findings.add("There is no anchor, or none that can be read: what was removed from the end cannot be seen.");
    return;
  }
  if (key === null) findings.add("The anchors' key is missing: whether the last anchor is ours cannot be told.");
  else if (!isSealedBy(key, anchor)) {
    findings.add(`The anchor of ${anchor.at} was changed, or made under another key.`);
  }
  const missing = await missingHead(anchor, (position) => readHeadAt(reader, position));
  if (missing === null) return;
  const { deskName, seq, position } = missing.head;
  findings.add(`Of the anchor of ${anchor.at}, ${missing.message}.`, { deskName, seq, position });
}

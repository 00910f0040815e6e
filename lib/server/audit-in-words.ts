import type { AuditReport } from "#lib/db/audit/audit-record.ts";

/** What the audit prints: what it checked, then each finding. */
export function auditInWords({ checked, findings, findingsCount }: AuditReport): string[] {
  const { events, desks, triggers, calls, requests, rules, anchor } = checked;
  const lines = [
    `Checked ${events} events (positions, seqs, hashes, chains), and that they agree with ${desks} desks, ` +
      `${triggers} triggers, ${calls} calls, ${requests} requests and ${rules} rules.`,
    anchor === null
      ? "There was no anchor to check."
      : `Checked the anchor of ${anchor.at}, which goes up to position ${anchor.position}.`,
  ];
  if (findingsCount === 0) return [...lines, "Nothing is wrong."];
  lines.push(`${findingsCount} ${findingsCount === 1 ? "thing is" : "things are"} wrong:`);
  lines.push(...findings.map((finding) => `  ${finding.message}`));
  if (findingsCount > findings.length) lines.push(`  … and ${findingsCount - findings.length} more.`);
  return lines;
}

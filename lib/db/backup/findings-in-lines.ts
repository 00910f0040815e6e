import type { Finding } from "#lib/db/audit/finding.ts";

const mostLines = 20;

/** The first findings of an audit as lines, and how many more there are. */
export function findingsInLines(findings: readonly Finding[], count: number): string[] {
  const lines = findings.slice(0, mostLines).map((finding) => finding.message);
  return count > lines.length ? [...lines, `… and ${count - lines.length} more.`] : lines;
}

import type { PolicyRule, Prisma } from "#lib/db/generated/sqlite/client.ts";
import { fromStoredRow } from "#lib/db/rows.ts";
import { eventInWords, payloadOf, placeOf } from "./event-place.ts";
import { eventsAbout } from "./events-about.ts";
import type { Findings } from "./finding.ts";

/** Compares the rules and their version with `policy_changed`. Gives how many rules there are. */
export async function auditPolicy(reader: Prisma.TransactionClient, findings: Findings): Promise<number> {
  const rules = await reader.policyRule.findMany({ orderBy: { id: "asc" } });
  const ids = rules.map((rule) => rule.id);
  const changes = await eventsAbout(reader, ids, ["policy_changed"]);
  for (const rule of rules) {
    const last = changes.get(rule.id)?.at(-1);
    const payload = last && payloadOf(last);
    if (last === undefined || payload?.["change"] !== "added") {
      findings.add(`The rule ${rule.id} (${rule.verdict} ${rule.tool}) was added by no policy_changed.`);
      continue;
    }
    if (isAsAdded(rule, payload["rule"])) continue;
    findings.add(`The rule ${rule.id} is not the one that ${eventInWords(last)} added.`, placeOf(last));
  }
  await auditRemovals(reader, new Set(ids), findings);
  return rules.length;
}

function isAsAdded(rule: PolicyRule, added: unknown): boolean {
  if (typeof added !== "object" || added === null) return false;
  try {
    const row = fromStoredRow("rule", rule) as unknown as Record<string, unknown>;
    return Object.entries(added).every(([key, value]) => JSON.stringify(value) === JSON.stringify(row[key]));
  } catch {
    // A column that is no JSON is not as it was added.
    return false;
  }
}

async function auditRemovals(
  reader: Prisma.TransactionClient,
  present: ReadonlySet<string>,
  findings: Findings,
): Promise<void> {
  const last = new Map<string, { change: unknown; version: unknown }>();
  const events = await reader.event.findMany({ where: { kind: "policy_changed" }, orderBy: { position: "asc" } });
  let version: unknown = 0;
  for (const event of events) {
    const payload = payloadOf(event);
    version = payload?.["version"];
    last.set(event.subject ?? "", { change: payload?.["change"], version });
  }
  for (const [ruleId, { change }] of last) {
    if (change === "removed" || present.has(ruleId)) continue;
    findings.add(`The rule ${ruleId} is gone, but no policy_changed removed it.`);
  }
  const policy = await reader.policy.findUnique({ where: { id: 1 } });
  if ((policy?.version ?? 0) === version) return;
  findings.add(
    `The rules are at version ${policy?.version ?? 0}, but their last policy_changed says ${String(version)}.`,
  );
}

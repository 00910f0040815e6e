import type { RuleRow } from "#lib/core/record.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { Verdict } from "#lib/protocol/states.ts";

let numbers = 0;

/** Adds a rule, as a lead does, and gives its id. */
export async function addRule(store: Store, verdict: Verdict, changes: Partial<RuleRow> = {}): Promise<string> {
  numbers += 1;
  const row: RuleRow = {
    id: `rule-${numbers}`,
    deskName: null,
    tool: "*",
    verdict,
    arguments: null,
    facts: null,
    note: "",
    createdBy: "lead",
    createdAt: "2026-09-08T14:00:00.000Z",
    ...changes,
  };
  await store.commit({
    name: "policy",
    when: [],
    changes: [{ insert: "rule", row }, { bump: "policy" }],
    events: [],
  });
  return row.id;
}

/** Takes a rule away. */
export async function removeRule(store: Store, id: string): Promise<void> {
  await store.commit({
    name: "policy",
    when: [{ that: "rule", id }],
    changes: [{ delete: "rule", key: id }, { bump: "policy" }],
    events: [],
  });
}

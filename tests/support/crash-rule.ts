import type { Store } from "#lib/core/ports/store.ts";
import type { RuleRow } from "#lib/core/record.ts";

/** Adds a rule that allows `place_order` with exactly these arguments, as canonical JSON. @returns its id. */
export async function allowRule(store: Store, canonicalArguments: string): Promise<string> {
  const { version } = await store.policy();
  const rule: RuleRow = {
    id: `rule-${version + 1}`,
    deskName: null,
    tool: "place_order",
    verdict: "allow",
    arguments: canonicalArguments,
    facts: null,
    note: "",
    createdBy: "ann",
    createdAt: new Date().toISOString(),
  };
  const result = await store.commit({
    name: "policy",
    when: [{ that: "policy", version }],
    changes: [{ insert: "rule", row: rule }, { bump: "policy" }],
    events: [
      {
        deskName: "_system",
        kind: "policy_changed",
        triggerId: null,
        payload: { version: version + 1, by: "ann", ruleId: rule.id, change: "added", rule: { ...rule } },
      },
    ],
  });
  if (!result.committed) throw new Error("the rule was not added");
  return rule.id;
}

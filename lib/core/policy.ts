import type { JsonObject } from "#lib/protocol/json.ts";
import type { Verdict } from "#lib/protocol/states.ts";
import { canonicalJson } from "./canonical.ts";
import type { RuleRow } from "./record.ts";
import { quoted } from "./request-texts.ts";
import type { Tool } from "./tool.ts";

/** A call, as the policy sees it. */
export interface PolicyQuestion {
  deskName: string;
  tool: Pick<Tool, "name" | "effect" | "defaultVerdict" | "ask">;
  /** Normalised arguments as canonical JSON text. */
  arguments: string;
  /** What the tool computed about this call; null where it could not. */
  facts: JsonObject | null;
  /** Labels of the uncertain requests of this desk and tool. */
  uncertain: readonly string[];
  /** Writes of this tool that an earlier attempt of the turn completed or had held, in words. */
  earlierAttempts: readonly string[];
}

export interface PolicyAnswer {
  verdict: Verdict;
  /** Which rule or default, in words for people and models. */
  reason: string;
}

const strictness: Record<Verdict, number> = { allow: 0, hold: 1, deny: 2 };

/**
 * What may become of a call: a pure function of the rules, the call, its tool and its facts. The most restrictive of all
 * that apply wins; where no rule matches, the tool's default; a `write` without one is held.
 */
export function judge(rules: readonly RuleRow[], question: PolicyQuestion): PolicyAnswer {
  const matching = rules.filter((rule) => matches(rule, question)).map(answerOf);
  const answers = matching.length > 0 ? matching : [standard(question.tool)];
  answers.push(...safeguards(question));
  const strictest = answers.reduce((a, b) => (strictness[b.verdict] > strictness[a.verdict] ? b : a));
  if (strictest.verdict === "hold" && question.tool.ask) {
    return { verdict: "allow", reason: "A question waits for a person by itself." };
  }
  return strictest;
}

function standard(tool: PolicyQuestion["tool"]): PolicyAnswer {
  const verdict = tool.defaultVerdict ?? (tool.effect === "read" ? "allow" : "hold");
  if (tool.defaultVerdict) return { verdict, reason: `No rule matches; ${tool.name} itself says ${verdict}.` };
  return {
    verdict,
    reason: tool.effect === "read" ? `${tool.name} only reads.` : `${tool.name} is a write without a rule.`,
  };
}

function safeguards(question: PolicyQuestion): PolicyAnswer[] {
  const { tool } = question;
  const answers: PolicyAnswer[] = [];
  if (question.facts === null) {
    answers.push({ verdict: "hold", reason: `${tool.name} could not say what this call would do.` });
  }
  if (tool.effect !== "write") return answers;
  if (question.uncertain.length > 0) {
    const labels = question.uncertain.join(", ");
    answers.push({ verdict: "hold", reason: `An earlier ${tool.name} has an unknown outcome (${labels}).` });
  }
  if (question.earlierAttempts.length > 0) {
    const calls = question.earlierAttempts.join("; ");
    answers.push({ verdict: "hold", reason: `An earlier attempt of this turn made a ${tool.name} already: ${calls}.` });
  }
  return answers;
}

function answerOf(rule: RuleRow): PolicyAnswer {
  const where = rule.deskName ?? "every desk";
  const note = rule.note === "" ? "" : ` (${quoted(rule.note)})`;
  return { verdict: rule.verdict, reason: `Rule ${rule.id}: ${rule.verdict} ${rule.tool} on ${where}${note}.` };
}

function matches(rule: RuleRow, question: PolicyQuestion): boolean {
  if (rule.deskName !== null && rule.deskName !== question.deskName) return false;
  if (rule.tool !== "*" && rule.tool !== question.tool.name) return false;
  if (rule.arguments !== null && rule.arguments !== question.arguments) return false;
  if (rule.facts === null) return true;
  const facts = question.facts;
  // Where the facts are unknown, what restricts applies and what allows does not.
  if (facts === null) return rule.verdict !== "allow";
  return Object.entries(rule.facts).every(
    ([name, value]) => Object.hasOwn(facts, name) && canonicalJson(facts[name] ?? null) === canonicalJson(value),
  );
}

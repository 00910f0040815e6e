import { definePlaybook } from "#lib/backends/playbook.ts";

/** What a test lets its desk do, as the JSON text of a message. */
export type DrillStep = { call: string; with: unknown } | { say: string };

/** Stands for a long text in a step: `{ "$repeat": ["ab", 3] }` is `ababab`. A message has a limit, a preview a larger. */
export function repeated(text: string, times: number): unknown {
  return { $repeat: [text, times] };
}

function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expanded);
  if (typeof value !== "object" || value === null) return value;
  if ("$repeat" in value) {
    const [text, times] = value.$repeat as [string, number];
    return text.repeat(times);
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expanded(inner)]));
}

/** Does what a message says, step by step, and says what it heard of answers and outcomes, word for word. */
export const drillPlaybook = definePlaybook({
  name: "drill",
  async onMessage(turn) {
    if (!turn.trigger.text.startsWith("[")) {
      await turn.say(`Heard: ${turn.trigger.text}`);
      return;
    }
    for (const step of JSON.parse(turn.trigger.text) as DrillStep[]) {
      if ("say" in step) await turn.say(String(expanded(step.say)));
      else await turn.call({ name: step.call, arguments: expanded(step.with) });
    }
  },
  async onAnswer(turn, { answers }) {
    await turn.say(`Answers: ${JSON.stringify(answers.map(({ labels, other }) => [labels, other]))}`);
  },
  async onOutcome(turn, { label, state, note, resolution }) {
    await turn.say(`Outcome of ${label}: ${JSON.stringify({ state, note, resolution })}`);
  },
});

import { describe, expect, it } from "vitest";
import { answerWords } from "#tests/support/crash-acts.ts";
import { killed } from "#tests/support/crash-run.ts";
import { expectEnd, lines, rest, send, sideBySide, type End, type Row } from "#tests/support/crash-survival.ts";

const asked = [send(lines.ask, lines.done), rest];
const pending: End = { turns: "message done 1", calls: "ask_user succeeded", requests: "question pending", orders: 0 };

describe("a question, killed", sideBySide, () => {
  const once: End = { ...pending, turns: "message done 2" };
  const repeated: End = { ...once, calls: "ask_user succeeded, ask_user held" };

  it.each<Row>([
    ["inside:question#1", once],
    ["after:question#1", repeated],
  ])("P3, P6, P9: at %s: is asked once", async (kill, end) => {
    await expectEnd(await killed({ acts: asked, kill }), end);
  });
});

describe("an answer, killed", sideBySide, () => {
  const acts = [...asked, { do: "answer" } as const, rest];
  const answered: End = { ...pending, turns: "message done 1, answer done 1", requests: "question answered" };

  it.each<Row>([
    ["before:answer#1", pending],
    ["after:answer#1", answered],
    ["told:decided#1", answered],
  ])("P6, P9: at %s: is lost only where it was not confirmed, and arrives word for word", async (kill, end) => {
    const { rows } = await expectEnd(await killed({ acts, kill }), end);
    const words = rows.requests.flatMap((request) => request.answers ?? []).map((answer) => answer.other);
    const told = rows.triggers.filter((trigger) => trigger.text.includes(JSON.stringify(answerWords)));
    expect(words).toEqual(end === answered ? [answerWords] : []);
    expect(told).toHaveLength(words.length);
  });

  it("P6, P9: is given once more after it was lost, and arrives once", async () => {
    const remains = await killed({ acts, kill: "inside:answer#1" });
    await expectEnd(remains, answered, { acts: [{ do: "answer" }] });
  });
});

describe("a dismissal, killed", sideBySide, () => {
  const acts = [...asked, { do: "dismiss" } as const, rest];
  const dismissed: End = { ...pending, turns: "message done 1, outcome done 1", requests: "question dismissed" };

  it.each<Row>([
    ["inside:dismissal#1", pending],
    ["after:dismissal#1", dismissed],
  ])("P6, P9: at %s: is lost only where it was not confirmed, and the desk is told once", async (kill, end) => {
    await expectEnd(await killed({ acts, kill }), end);
  });
});

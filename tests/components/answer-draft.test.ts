import { describe, expect, test } from "vitest";
import type { Question } from "#lib/protocol/questions.ts";
import {
  type AnswerDraft,
  answersOf,
  choiceAt,
  emptyDraft,
  missingAt,
  withOption,
  withOther,
  withOtherChosen,
} from "#components/requests/answer-draft.ts";

function question(id: string, multiSelect: boolean): Question {
  const options = ["o1", "o2", "o3"].map((option) => ({ id: option, label: option, description: "" }));
  return { id, question: `${id}?`, header: id, options, multiSelect };
}
const one = question("q1", false);
const several = question("q2", true);

describe("what is chosen at a question", () => {
  test("one option takes the place of another, and of Other, whose words stay", () => {
    let choice = withOther(one, choiceAt(emptyDraft, one), "mine");
    expect(choice).toEqual({ optionIds: [], other: "mine", otherChosen: true });
    choice = withOption(one, choice, "o2");
    expect(choice).toEqual({ optionIds: ["o2"], other: "mine", otherChosen: false });
    expect(answersOf([one], { q1: choice })).toEqual([{ questionId: "q1", optionIds: ["o2"] }]);
  });

  test("several options and Other go together, in the order of the question", () => {
    let choice = withOption(several, choiceAt(emptyDraft, several), "o3");
    choice = withOption(several, choice, "o1");
    choice = withOther(several, choice, "  only before close ");
    expect(answersOf([several], { q2: choice })).toEqual([
      { questionId: "q2", optionIds: ["o1", "o3"], other: "  only before close " },
    ]);
    expect(withOption(several, choice, "o3").optionIds).toEqual(["o1"]);
  });

  test("a question is missing until it has an option or words", () => {
    const draft: AnswerDraft = { q1: withOtherChosen(one, choiceAt(emptyDraft, one), true) };
    expect(missingAt([one, several], draft)).toEqual([one, several]);
    const words = { ...draft, q1: withOther(one, choiceAt(draft, one), " \n") };
    expect(missingAt([one], words)).toEqual([one]);
    const chosen = { ...words, q1: withOption(one, choiceAt(words, one), "o1") };
    expect(missingAt([one, several], chosen)).toEqual([several]);
  });
});

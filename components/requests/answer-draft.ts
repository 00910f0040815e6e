import { z } from "zod";
import type { Answer, Question } from "#lib/protocol/questions.ts";

const choiceSchema = z.object({
  optionIds: z.array(z.string()),
  other: z.string(),
  otherChosen: z.boolean(),
});

/** What somebody has chosen and typed at one question. Words at Other stay when another choice is taken. */
export type QuestionChoice = z.infer<typeof choiceSchema>;

/** What somebody has chosen and typed at the questions of a request, by question id. */
export const answerDraftSchema = z.record(z.string(), choiceSchema);
export type AnswerDraft = z.infer<typeof answerDraftSchema>;

export const emptyDraft: AnswerDraft = {};
const emptyChoice: QuestionChoice = { optionIds: [], other: "", otherChosen: false };

/** What is chosen at a question. */
export function choiceAt(draft: AnswerDraft, question: Question): QuestionChoice {
  return draft[question.id] ?? emptyChoice;
}

/** The choice after an option was pressed. */
export function withOption(question: Question, choice: QuestionChoice, optionId: string): QuestionChoice {
  if (!question.multiSelect) return { ...choice, optionIds: [optionId], otherChosen: false };
  const without = choice.optionIds.filter((id) => id !== optionId);
  return { ...choice, optionIds: without.length < choice.optionIds.length ? without : [...without, optionId] };
}

/** The choice after Other was taken or left. */
export function withOtherChosen(question: Question, choice: QuestionChoice, otherChosen: boolean): QuestionChoice {
  return { ...choice, otherChosen, optionIds: question.multiSelect || !otherChosen ? choice.optionIds : [] };
}

/** The choice after something was typed at Other: words there choose it. */
export function withOther(question: Question, choice: QuestionChoice, other: string): QuestionChoice {
  return { ...withOtherChosen(question, choice, other !== ""), other };
}

function isAnswered(choice: QuestionChoice): boolean {
  return choice.otherChosen ? choice.other.trim() !== "" : choice.optionIds.length > 0;
}

/** The questions that still have no answer. */
export function missingAt(questions: readonly Question[], draft: AnswerDraft): Question[] {
  return questions.filter((question) => !isAnswered(choiceAt(draft, question)));
}

/** Whether anything was chosen or typed. */
export function isTouched(draft: AnswerDraft): boolean {
  return Object.values(draft).some((choice) => choice.optionIds.length > 0 || choice.other !== "");
}

/** The answers as they are sent: options in the order of the question, and the words of Other letter for letter. */
export function answersOf(questions: readonly Question[], draft: AnswerDraft): Answer[] {
  return questions.map((question) => {
    const choice = choiceAt(draft, question);
    const optionIds = question.options.map((option) => option.id).filter((id) => choice.optionIds.includes(id));
    return { questionId: question.id, optionIds, ...(choice.otherChosen && { other: choice.other }) };
  });
}

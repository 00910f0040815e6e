import type { Answer, Question } from "#lib/protocol/questions.ts";
import { limits } from "#lib/protocol/limits.ts";
import { AppError } from "./app-error.ts";
import { shortValue } from "./canonical.ts";
import type { AnswerData } from "./outcome-data.ts";
import { quoted } from "./request-texts.ts";
import type { RequestRow } from "./record.ts";
import { requestLabel } from "./user-requests-table.ts";

/**
 * Checks that every question has its answer: exactly one option or Other, or, where several may be chosen, at least one of
 * either.
 * @returns the answers in the order of the questions, word for word.
 * @throws AppError `invalid` that names the question, what is allowed and what was given.
 */
export function checkedAnswers(questions: readonly Question[], answers: readonly Answer[]): Answer[] {
  for (const answer of answers) {
    if (!questions.some((question) => question.id === answer.questionId)) {
      const known = questions.map((question) => question.id).join(", ");
      throw wrong("questionId", "there is no such question", `one of ${known}`, answer.questionId);
    }
  }
  return questions.map((question) => {
    const own = answers.filter((answer) => answer.questionId === question.id);
    const [answer] = own;
    if (!answer) throw wrong(question.id, `"${question.question}" has no answer`, "every question has one", "nothing");
    if (own.length > 1)
      throw wrong(question.id, `"${question.question}" is answered twice`, "one answer a question", String(own.length));
    return checkedAnswer(question, answer);
  });
}

function checkedAnswer(question: Question, answer: Answer): Answer {
  const optionIds = [...new Set(answer.optionIds)];
  const known = question.options.map((option) => option.id);
  for (const id of optionIds) {
    if (!known.includes(id))
      throw wrong(`${question.id}.optionIds`, "there is no such option", `one of ${known.join(", ")}`, id);
  }
  const other = answer.other === undefined || answer.other === "" ? undefined : answer.other;
  if (other !== undefined && other.trim() === "") {
    throw wrong(`${question.id}.other`, "Other is blank", "words, or nothing at all", shortValue(other));
  }
  if (other !== undefined && other.length > limits.otherCharacters) {
    throw wrong(
      `${question.id}.other`,
      "Other is too long",
      `at most ${limits.otherCharacters} characters`,
      `${other.length} characters`,
    );
  }
  const count = optionIds.length + (other === undefined ? 0 : 1);
  if (count === 0) throw wrong(question.id, `"${question.question}" has no answer`, "an option or Other", "neither");
  if (!question.multiSelect && count > 1) {
    throw wrong(question.id, `"${question.question}" takes one answer`, "exactly one option or Other", `${count}`);
  }
  return { questionId: question.id, optionIds, ...(other !== undefined && { other }) };
}

function wrong(field: string, what: string, limit: string, given: string): AppError {
  return new AppError("invalid", `answers: ${what} (${limit}; given: ${given})`, {
    field: `answers.${field}`,
    limit,
    given,
  });
}

/** The answers with their questions and labels, as the desk's backends get them. */
export function answerData(request: RequestRow, answers: readonly Answer[], by: string): AnswerData {
  return {
    requestId: request.id,
    label: requestLabel(request.number),
    by,
    answers: (request.questions ?? []).flatMap((question) => {
      const answer = answers.find((one) => one.questionId === question.id);
      if (!answer) return [];
      const labels = question.options
        .filter((option) => answer.optionIds.includes(option.id))
        .map((option) => option.label);
      return [
        {
          questionId: question.id,
          question: question.question,
          header: question.header,
          optionIds: answer.optionIds,
          labels,
          other: answer.other ?? null,
        },
      ];
    }),
  };
}

/** The text of an answer's trigger: a line a question, each word of a person or a desk quoted. */
export function answerText(data: AnswerData): string {
  const lines = data.answers.map((answer) => {
    const chosen = answer.labels.map(quoted).join(", ");
    const other =
      answer.other === null ? "" : `${chosen === "" ? "" : "; "}in their own words: ${quoted(answer.other)}`;
    return `- ${quoted(answer.question)}: ${chosen}${other}`;
  });
  return `${data.by} answered ${data.label}:\n${lines.join("\n")}`;
}

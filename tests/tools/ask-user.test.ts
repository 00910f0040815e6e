import { expect, test } from "vitest";
import { issuesText, readArguments } from "#lib/core/read-arguments.ts";
import { askUser } from "#lib/tools/ask-user.ts";
import { problemsOf, readFor } from "#tests/support/run-tool.ts";

const option = (label: string, more: object = {}) => ({ label, description: `what ${label} means`, ...more });
const stop = {
  question: "Which stop?",
  header: "Stop",
  options: [option("Tight stop", { preview: "| level |\n| --- |\n| 1.16 |" }), option("Wide stop")],
  multiSelect: false,
};
const withQuestion = (changes: object) => ({ questions: [{ ...stop, ...changes }] });
const problems = (changes: object) => problemsOf(askUser, withQuestion(changes));

test("Q3: a right call is valid, and what is asked is what was given", () => {
  expect(problemsOf(askUser, { questions: [stop] })).toEqual([]);
  expect(askUser.ask?.(readFor(askUser, { questions: [stop] }))).toEqual([stop]);
});

test("Q3: a header of 13 characters names field, limit and given", () => {
  expect(problems({ header: "Thirteen char" })).toEqual(["questions.0.header: must be at most 12 characters, has 13"]);
});

test("Q3: a header counts characters as people see them, and stacked marks do not hide length", () => {
  expect(problems({ header: "👨‍👩‍👧‍👦".repeat(12) })).toEqual([]);
  expect(problems({ header: "é".repeat(12) })).toEqual([]);
  expect(problems({ header: "👨‍👩‍👧‍👦".repeat(13) })).toEqual(["questions.0.header: must be at most 12 characters, has 13"]);
  expect(problems({ header: `a${"\u0301".repeat(200)}` })).toEqual([
    "questions.0.header: must be at most 12 characters, has 21",
  ]);
});

test("Q3: a label of 61 characters and a label of six words are refused", () => {
  expect(problems({ options: [option("x".repeat(61)), option("b")] })).toEqual([
    "questions.0.options.0.label: must be at most 60 characters, has 61",
  ]);
  expect(problems({ options: [option("a"), option("one two three four five six")] })).toEqual([
    "questions.0.options.1.label: must be 1 to 5 words, has 6",
  ]);
});

test.each([
  [1, "must have 2 to 4 options, has 1"],
  [5, "must have 2 to 4 options, has 5"],
  [0, "must have 2 to 4 options, has 0"],
])("Q3: %i options are refused", (count, message) => {
  const options = Array.from({ length: count }, (_, index) => option(`o${index}`));
  expect(problems({ options })).toEqual([`questions.0.options: ${message}`]);
});

test.each([0, 5])("Q3: %i questions are refused", (count) => {
  const questions = Array.from({ length: count }, (_, index) => ({ ...stop, question: `Which ${index}?` }));
  expect(problemsOf(askUser, { questions })).toEqual([`questions: must have 1 to 4 questions, has ${count}`]);
});

test("Q3: options, or questions, as a JSON text are refused by name", () => {
  expect(problems({ options: JSON.stringify(stop.options) })).toEqual([
    "questions.0.options: must be a list of 2 to 4 options, not a text of JSON",
  ]);
  expect(problemsOf(askUser, { questions: JSON.stringify([stop]) })).toEqual([
    "questions: must be a list of 1 to 4 questions, not a text of JSON",
  ]);
});

test.each(["question", "header", "options", "multiSelect"])("P14: a missing %s is named", (field) => {
  const read = readArguments(askUser, withQuestion({ [field]: undefined }));
  if (read.ok) throw new Error("it was valid");
  expect(issuesText("ask_user", read.issues)).toMatch(
    new RegExp(`- questions\\[0\\]\\.${field}: is missing: must be `),
  );
});

test("P14: a missing label or description, and no questions at all, are named", () => {
  expect(problems({ options: [{ label: "a" }, { description: "b" }] })).toEqual([
    "questions.0.options.0.description: must be text",
    "questions.0.options.1.label: must be text",
  ]);
  expect(problemsOf(askUser, {})).toEqual(["questions: must be a list of 1 to 4 questions"]);
});

test("P14: every fault of one call is reported at once", () => {
  expect(problems({ question: "Which stop", header: "Thirteen char", multiSelect: "false" })).toEqual([
    "questions.0.question: must end in a question mark",
    "questions.0.header: must be at most 12 characters, has 13",
    "questions.0.multiSelect: must be true or false",
  ]);
});

test.each(["Which?", "どれ？", "أيهما؟", "Which?  "])("a question ends in a question mark: %s", (question) => {
  expect(problems({ question })).toEqual([]);
});

test("question texts, and labels within a question, are unique", () => {
  expect(problemsOf(askUser, { questions: [stop, { ...stop, question: " Which  stop? " }] })).toEqual([
    "questions.1.question: must be unique among the questions",
  ]);
  expect(problems({ options: [option("a"), option("b"), option(" a")] })).toEqual([
    "questions.0.options.2.label: must be unique within its question",
  ]);
  const other = { ...stop, question: "Which target?" };
  expect(problemsOf(askUser, { questions: [stop, other] })).toEqual([]);
});

test("blank texts are refused, and an empty preview says to leave it out", () => {
  expect(problems({ header: " " })).toEqual(["questions.0.header: must not be blank"]);
  expect(problems({ options: [option("a", { preview: " " }), option("b")] })).toEqual([
    "questions.0.options.0.preview: must not be blank; leave it out",
  ]);
});

test("Q4: a preview keeps its lines and blanks to the letter", () => {
  const preview = "  | a |\n\n| --- |  \n";
  const read = readFor(askUser, withQuestion({ options: [option("a", { preview }), option("b")] }));
  expect(JSON.stringify(read)).toContain(JSON.stringify(preview));
});

test("G1: white space around texts makes no difference to what was asked", () => {
  const spaced = withQuestion({ question: " Which stop? ", header: "Stop " });
  expect(readFor(askUser, spaced)).toEqual(readFor(askUser, { questions: [stop] }));
});

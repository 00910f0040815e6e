import { z } from "zod";
import { defineAskTool, type Toolset } from "#lib/core/tool.ts";
import { limits } from "#lib/protocol/limits.ts";
import { limitedText } from "./limited-text.ts";

/** A list of so many items; `noun` is what they are. */
function listOf<T extends z.ZodType>(item: T, range: { least: number; most: number }, noun: string) {
  const wanted = `${range.least} to ${range.most} ${noun}`;
  return z
    .array(item, {
      error: (issue) => `must be a list of ${wanted}${typeof issue.input === "string" ? ", not a text of JSON" : ""}`,
    })
    .superRefine((items, context) => {
      if (items.length >= range.least && items.length <= range.most) return;
      context.addIssue({ code: "custom", message: `must have ${wanted}, has ${items.length}` });
    })
    .meta({ minItems: range.least, maxItems: range.most });
}

/** Reports each item whose text an earlier one has. */
function unique<T>(textOfItem: (item: T) => string, field: string, where: string) {
  return (items: readonly T[], context: z.RefinementCtx) => {
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      const text = textOfItem(item).replace(/\s+/gu, " ");
      if (seen.has(text))
        context.addIssue({ code: "custom", path: [index, field], message: `must be unique ${where}` });
      seen.add(text);
    }
  };
}

const label = limitedText(limits.labelCharacters)
  .superRefine((text, context) => {
    const words = text.split(/\s+/u).length;
    if (words <= limits.labelWords) return;
    context.addIssue({ code: "custom", message: `must be 1 to ${limits.labelWords} words, has ${words}` });
  })
  .describe(
    `What people pick: 1 to ${limits.labelWords} words, at most ${limits.labelCharacters} characters, unique in its question.`,
  );

const option = z.strictObject({
  label,
  description: limitedText(limits.descriptionCharacters).describe("What choosing it means."),
  preview: limitedText(limits.previewCharacters, { trim: false, whenBlank: "must not be blank; leave it out" })
    .describe("Markdown shown beside the choices while this one is highlighted, such as a table of levels.")
    .optional(),
});

const question = z.strictObject({
  question: limitedText(limits.questionCharacters)
    .refine((text) => /[?？؟]$/u.test(text), { error: "must end in a question mark" })
    .describe("The whole question; ends in a question mark."),
  header: limitedText(limits.headerCharacters).describe(
    `A tag of at most ${limits.headerCharacters} characters, such as "Stop".`,
  ),
  options: listOf(option, limits.options, "options")
    .superRefine(unique((item) => item.label, "label", "within its question"))
    .describe('The choices. Every question gets an "Other" box for a free answer by itself: do not add one.'),
  multiSelect: z.boolean({ error: "must be true or false" }).describe("Whether several options may be chosen."),
});

/** `ask_user`: puts 1 to 4 questions to the desk's people and returns at once. */
export const askUser = defineAskTool({
  name: "ask_user",
  description:
    "Asks the people of this desk 1 to 4 questions. It returns at once: do not wait, end this turn; the answer comes as a new message that names the request.",
  parameters: z.strictObject({
    questions: listOf(question, limits.questions, "questions").superRefine(
      unique((item) => item.question, "question", "among the questions"),
    ),
  }),
  ask: ({ questions }) => questions,
});

/** The toolset of `ask_user`. */
export const askUserToolset: Toolset = { name: "ask_user", tools: [askUser] };

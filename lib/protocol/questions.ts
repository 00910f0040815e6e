import { z } from "zod";

/** One choice of a question, as stored: the id (`o1` …) is the server's. */
export const optionSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  /** Markdown, shown beside the choices while this one is highlighted. */
  preview: z.string().optional(),
});
export type QuestionOption = z.infer<typeof optionSchema>;

/** One question of a request, as stored: the id (`q1` …) is the server's. */
export const questionSchema = z.object({
  id: z.string(),
  question: z.string(),
  header: z.string(),
  options: z.array(optionSchema),
  multiSelect: z.boolean(),
});
export type Question = z.infer<typeof questionSchema>;

/** A person's answer to one question: options by id, or words of their own, or, where several may be chosen, both. */
export const answerSchema = z.strictObject({
  questionId: z.string(),
  optionIds: z.array(z.string()),
  other: z.string().optional(),
});
export type Answer = z.infer<typeof answerSchema>;

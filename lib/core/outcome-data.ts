import { z } from "zod";

/** `data` of a trigger of kind `outcome`: what became of a request. */
export const outcomeDataSchema = z.object({
  requestId: z.string(),
  label: z.string(),
  tool: z.string(),
  /** Canonical JSON text of the arguments that ran, or would have run. */
  arguments: z.string(),
  /**
   * `completed`, `failed` and `uncertain`: it was approved and run. `voided`: it was approved, could not be started, and
   * waits again. `resolved` and `settled`: of a call whose outcome was unknown.
   */
  state: z.enum([
    "completed",
    "failed",
    "uncertain",
    "denied",
    "expired",
    "dismissed",
    "voided",
    "resolved",
    "settled",
  ]),
  by: z.string().nullable(),
  /** The person's words, or the reason. */
  note: z.string().nullable(),
  /** For `resolved`. */
  resolution: z.enum(["ran", "didNotRun", "runAgain"]).nullable(),
  /** What the tool gave back. */
  resultText: z.string().nullable(),
});
export type OutcomeData = z.infer<typeof outcomeDataSchema>;

/** `data` of a trigger of kind `answer`: each question with the chosen labels and the person's own words. */
export const answerDataSchema = z.object({
  requestId: z.string(),
  label: z.string(),
  by: z.string(),
  answers: z.array(
    z.object({
      questionId: z.string(),
      question: z.string(),
      header: z.string(),
      optionIds: z.array(z.string()),
      labels: z.array(z.string()),
      other: z.string().nullable(),
    }),
  ),
});
export type AnswerData = z.infer<typeof answerDataSchema>;

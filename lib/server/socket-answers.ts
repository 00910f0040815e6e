import type { z } from "zod";
import type { Log } from "#lib/core/ports/log.ts";
import type { ErrorBody } from "#lib/protocol/errors.ts";
import { describeIssue } from "./describe-issue.ts";
import { errorForm } from "./error-form.ts";

/**
 * Makes the handler of a message: it parses it, does the work, and acknowledges with what came of it, or with an error in
 * the one error form. Nothing that a client sends makes it throw.
 */
export function answering<S extends z.ZodType, Answer>(
  schema: S,
  log: Log,
  work: (message: z.output<S>) => Answer | Promise<Answer>,
): (message: unknown, acknowledge: unknown) => void {
  async function answer(message: unknown): Promise<Answer | ErrorBody> {
    try {
      const parsed = schema.safeParse(message);
      if (!parsed.success) throw describeIssue(parsed.error.issues[0]!, message, "message");
      return await work(parsed.data);
    } catch (error) {
      return errorForm(error, log).body;
    }
  }
  return (message, acknowledge) => {
    void answer(message).then((answered) => {
      if (typeof acknowledge === "function") acknowledge(answered);
    });
  };
}

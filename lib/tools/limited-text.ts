import { z } from "zod";
import { characterCount } from "./character-count.ts";

/** Text that is not blank and at most `most` characters long, as people count them. */
export function limitedText(most: number, options: { trim: boolean; whenBlank?: string } = { trim: true }) {
  const text = z.string({ error: "must be text" });
  return (options.trim ? text.trim() : text).superRefine((value, context) => {
    if (value.trim() === "") context.addIssue({ code: "custom", message: options.whenBlank ?? "must not be blank" });
    // No text has more characters than UTF-16 units, and counting units is free.
    const count = value.length > most ? characterCount(value) : value.length;
    if (count > most) context.addIssue({ code: "custom", message: `must be at most ${most} characters, has ${count}` });
  });
}

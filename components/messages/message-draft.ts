import { z } from "zod";

/** What somebody writes to a desk, and under which id it was sent, where it was and no answer came. */
export const messageDraftSchema = z.object({
  desk: z.string(),
  text: z.string(),
  sent: z.object({ clientId: z.string(), desk: z.string(), text: z.string() }).optional(),
});
export type MessageDraft = z.infer<typeof messageDraftSchema>;

export const emptyMessage: MessageDraft = { desk: "", text: "" };

/**
 * The message as it goes out. The same text to the same desk again, after no answer came, goes under the same id, so
 * that it arrives once.
 */
export function outgoing(draft: MessageDraft, desk: string, newId: () => string): NonNullable<MessageDraft["sent"]> {
  const { sent, text } = draft;
  return sent && sent.desk === desk && sent.text === text ? sent : { clientId: newId(), desk, text };
}

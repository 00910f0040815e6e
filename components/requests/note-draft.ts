import { z } from "zod";
import { useDraft } from "#components/data/use-draft.ts";

const noteSchema = z.string();

/** The words that somebody types on a card, until they are sent. */
export function useNoteDraft(requestId: string) {
  return useDraft(`note:${requestId}`, noteSchema, "");
}

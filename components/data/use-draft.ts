import { useCallback, useSyncExternalStore } from "react";
import type { z } from "zod";
import { readDraft, watchDrafts, writeDraft } from "./draft-store.ts";

/**
 * What a person has typed and not yet sent, kept over a reload. What storage holds is parsed: a draft of another shape
 * counts as none. Give the same `empty` each time.
 */
export function useDraft<T>(key: string, schema: z.ZodType<T>, empty: T): [T, (value: T | undefined) => void] {
  const stored = useSyncExternalStore(
    watchDrafts,
    () => readDraft(key),
    () => undefined,
  );
  const parsed = stored === undefined ? undefined : schema.safeParse(stored);
  const set = useCallback((value: T | undefined) => writeDraft(key, value), [key]);
  return [parsed?.success ? parsed.data : empty, set];
}

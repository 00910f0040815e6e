import type { Clock } from "#lib/core/ports/clock.ts";

/** Does something again and again, `everyMs` after the last time ended. The returned function ends it. */
export function repeating(
  clock: Clock,
  everyMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => void {
  let ended = false;
  let cancel = () => {};
  const next = () => {
    if (ended) return;
    cancel = clock.after(everyMs, () => {
      work().catch(onError).finally(next);
    });
  };
  next();
  return () => {
    ended = true;
    cancel();
  };
}

import type { Clock } from "./ports/clock.ts";

export type Boxed<T> = { in: "time"; value: T } | { in: "error"; error: unknown } | { in: "timeout" };

/** Runs something for at most `ms` milliseconds. It never rejects; the signal is aborted when the time is over. */
export async function timeBox<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Boxed<T>> {
  const abort = new AbortController();
  const { promise: timeout, resolve } = Promise.withResolvers<Boxed<T>>();
  const cancel = clock.after(ms, () => {
    resolve({ in: "timeout" });
    abort.abort(new Error(`timed out after ${ms} ms`));
  });
  const started: Promise<Boxed<T>> = (async () => ({ in: "time" as const, value: await work(abort.signal) }))().catch(
    (error: unknown) => ({ in: "error" as const, error }),
  );
  try {
    return await Promise.race([started, timeout]);
  } finally {
    cancel();
  }
}

const sameSignalMs = 1_000;

/**
 * Resolves at the first SIGINT or SIGTERM. A later one ends the process at once: what runs is recovered next time. Those
 * of the same second count as the first, for a terminal and whatever started the process may each send theirs.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    firstAt ??= performance.now();
    if (performance.now() - firstAt > sameSignalMs) process.exit(1);
    resolve(signal);
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return promise;
}

/** Waits for work, but not longer than `boundMs`. @returns whether it ended in time. */
export async function within(boundMs: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), boundMs);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}

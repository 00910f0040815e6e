/** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once: what runs is recovered next time. */
export function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let asked = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (asked) process.exit(1);
    asked = true;
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

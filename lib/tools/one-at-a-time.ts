/** Runs work of the same key one after another, in the order in which it was asked for. */
export class OneAtATime {
  readonly #tails = new Map<string, Promise<void>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    this.#tails.set(key, settled(result));
    return result;
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch {
    // Whoever asked for the work has the error; the next one in line only waits for the end.
  }
}

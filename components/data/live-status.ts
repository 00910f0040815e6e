/** How the live stream is. `since`: milliseconds since 1970, by this machine's clock. */
export type LiveStatus = { state: "connecting" } | { state: "live" } | { state: "down"; since: number };

/** Holds how the live stream is, for React to watch. */
export class LiveStatusStore {
  #status: LiveStatus = { state: "connecting" };
  readonly #listeners = new Set<() => void>();

  readonly read = (): LiveStatus => this.#status;

  readonly watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Everything that happens arrives from now on. */
  up(): void {
    if (this.#status.state !== "live") this.#set({ state: "live" });
  }

  /** Nothing arrives; one that is down stays down since when it was. */
  down(now: number): void {
    if (this.#status.state !== "down") this.#set({ state: "down", since: now });
  }

  #set(status: LiveStatus): void {
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}

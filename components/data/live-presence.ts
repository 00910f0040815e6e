import type { Presence } from "#lib/protocol/socket.ts";

/** Somebody's tab that has a card open. */
export type Looker = Presence["cards"][number]["people"][number];

const nobody: readonly Looker[] = [];

/** Who else has which card open, and which card this tab has open. */
export class LivePresence {
  #others = new Map<string, readonly Looker[]>();
  #ownTab: string | undefined;
  /** The cards of this tab that are mounted; the last one counts. */
  readonly #open: string[] = [];
  readonly #listeners = new Set<() => void>();
  #say: (requestId: string | null) => void = () => {};

  readonly watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The other tabs that have this card open; the same list as long as nothing changes. */
  others(requestId: string): readonly Looker[] {
    return this.#others.get(requestId) ?? nobody;
  }

  /** Says that this tab has the card open, until the returned function is called. */
  look(requestId: string): () => void {
    this.#open.push(requestId);
    this.#say(requestId);
    return () => {
      this.#open.splice(this.#open.lastIndexOf(requestId), 1);
      this.#say(this.#open.at(-1) ?? null);
    };
  }

  /** A connection is there: `say` tells the server what this tab looks at. */
  connected(ownTab: string | undefined, say: (requestId: string | null) => void): void {
    this.#ownTab = ownTab;
    this.#say = say;
    const open = this.#open.at(-1);
    if (open !== undefined) say(open);
  }

  /** Nobody knows who looks at what while live is down. */
  disconnected(): void {
    this.#say = () => {};
    this.take({ cards: [] });
  }

  /** What the server says of every tab. */
  take({ cards }: Presence): void {
    const before = this.#others;
    this.#others = new Map();
    for (const { requestId, people } of cards) {
      const others = people.filter(({ tab }) => tab !== this.#ownTab);
      const known = before.get(requestId) ?? nobody;
      this.#others.set(requestId, isSame(known, others) ? known : others);
    }
    for (const listener of this.#listeners) listener();
  }
}

function isSame(one: readonly Looker[], other: readonly Looker[]): boolean {
  return (
    one.length === other.length && one.every(({ tab, name }, n) => tab === other[n]?.tab && name === other[n].name)
  );
}

import type { Presence } from "#lib/protocol/socket.ts";

/** Who has which card open, by tab. */
export class PresenceBoard {
  readonly #tabs = new Map<string, { name: string; requestId: string }>();

  /** Notes what a tab shows. @returns whether that is news. */
  set(tab: string, name: string, requestId: string | null): boolean {
    if ((this.#tabs.get(tab)?.requestId ?? null) === requestId) return false;
    if (requestId === null) this.#tabs.delete(tab);
    else this.#tabs.set(tab, { name, requestId });
    return true;
  }

  /** All of it, for every tab. */
  view(): Presence {
    const cards = Map.groupBy([...this.#tabs], ([, { requestId }]) => requestId);
    return {
      cards: [...cards].map(([requestId, tabs]) => ({
        requestId,
        people: tabs.map(([tab, { name }]) => ({ tab, name })),
      })),
    };
  }
}

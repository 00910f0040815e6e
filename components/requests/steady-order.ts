import type { RequestView } from "#lib/protocol/views.ts";

/** A card of the list: what it shows, and whether the request still waits. */
export interface ShownCard {
  request: RequestView;
  waits: boolean;
}

/** Decided cards that stay until they are put away; the oldest go first. */
const mostDecided = 8;

/**
 * The cards after a new snapshot of what waits. A card that no longer waits stays, behind those that do. While somebody
 * is at the cards (`busy`) none changes its place and new ones come last, so that nothing moves under a finger.
 */
export function steadyOrder(
  shown: readonly ShownCard[],
  waiting: readonly RequestView[],
  busy: boolean,
): readonly ShownCard[] {
  const waitingById = new Map(waiting.map((request) => [request.id, request]));
  const known = new Set(shown.map((card) => card.request.id));
  const kept = shown.map((card) => {
    const request = waitingById.get(card.request.id);
    return request ? { request, waits: true } : { ...card, waits: false };
  });
  if (busy) {
    const added = waiting.filter((request) => !known.has(request.id));
    return [...kept, ...added.map((request) => ({ request, waits: true }))];
  }
  const decided = kept.filter((card) => !card.waits).slice(-mostDecided);
  return [...waiting.map((request) => ({ request, waits: true })), ...decided];
}

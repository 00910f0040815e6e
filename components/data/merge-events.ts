import type { EventPage } from "#lib/protocol/views.ts";

/** An event as the page has it. */
export type TimelineEvent = EventPage["events"][number];

/** What the page has of the timeline: a piece without gaps, in the order of positions. */
export interface TimelinePiece {
  events: readonly TimelineEvent[];
  /** Whether the server has older ones. */
  hasOlder: boolean;
}

/**
 * One list out of two, by position, each event once. Gives back `known` itself where nothing is new, so that nothing is
 * drawn again.
 */
export function mergeEvents(known: readonly TimelineEvent[], more: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const seen = new Set(known.map((event) => event.position));
  const added = more.filter((event) => !seen.has(event.position));
  if (added.length === 0) return known;
  return [...known, ...added].toSorted((a, b) => a.position - b.position);
}

import type { QueryClient } from "@tanstack/react-query";
import { limits } from "#lib/protocol/limits.ts";
import type { LiveEvent } from "#lib/protocol/socket.ts";
import type { EventPage } from "#lib/protocol/views.ts";
import { mergeEvents, type TimelinePiece } from "./merge-events.ts";

/** Where the cache keeps the newest events. */
export const eventsKey = ["events"] as const;

/** Rows of a page of the timeline. */
export const eventPageRows = 100;
/** Rows that are kept while nobody shows them, or nobody has asked for older ones. */
export const keptRows = 500;
/** Who is further behind starts anew from the newest page, and asks for older ones by hand. */
const farBehind = 5_000;

/** Reads a page of events over HTTP. */
export type ReadEvents = (query: { after?: number; limit: number }, signal?: AbortSignal) => Promise<EventPage>;

const lastOf = (piece: TimelinePiece | undefined) => piece?.events.at(-1);

/**
 * Keeps the cache's piece of the timeline as the database has it. The next event is taken as it comes; one that is known
 * changes nothing; whatever else arrives says only how far the record is, and the rest is read over HTTP. So the piece has
 * no gap at any moment, in whatever order events, heads and pages come, and however often.
 */
export class LiveTimeline {
  readonly #client: QueryClient;
  readonly #readPage: ReadEvents;
  /** The newest position that was heard of. */
  #head = 0;

  constructor(client: QueryClient, readPage: ReadEvents) {
    this.#client = client;
    this.#readPage = readPage;
  }

  /** An event of the live stream. */
  take(event: LiveEvent): void {
    const piece = this.#piece();
    const last = lastOf(piece)?.position ?? 0;
    if (piece && event.position <= last) return;
    this.#head = Math.max(this.#head, event.position);
    const { size, ...known } = event;
    if (piece && event.position === last + 1 && size === undefined) {
      const events = [...piece.events, known];
      this.#set(this.#isShown() || events.length <= keptRows * 2 ? { ...piece, events } : newestOf(events));
    } else this.#catchUp();
  }

  /** The newest position, as the server says it now and then. */
  noteHead(position: number): void {
    this.#head = Math.max(this.#head, position);
    const piece = this.#piece();
    if (!piece || (lastOf(piece)?.position ?? 0) < this.#head) this.#catchUp();
  }

  /** A new connection: what was heard before may have been of another record, so the piece is compared in any case. */
  connected(position: number): void {
    this.#head = position;
    this.#catchUp();
  }

  /** Brings the piece up to the newest that was heard of; the function of the query. */
  async read(signal?: AbortSignal): Promise<TimelinePiece> {
    let piece = await this.#readOn(signal);
    for (;;) {
      const last = lastOf(piece)?.position ?? 0;
      if (last >= this.#head) return piece;
      piece = await this.#readOn(signal);
      // A read that began after something was heard of has it; nothing is worth asking without end.
      if ((lastOf(piece)?.position ?? 0) <= last) this.#head = 0;
    }
  }

  async #readOn(signal: AbortSignal | undefined): Promise<TimelinePiece> {
    const last = lastOf(this.#piece());
    if (!last) return this.#readNewest(signal);
    // One that is known comes again: only so can be seen whether the server still has the record that this is a piece of.
    const page = await this.#readPage({ after: last.position - 1, limit: limits.pageRows }, signal);
    const sameRecord = page.events[0]?.position === last.position && page.events[0].hash === last.hash;
    if (!sameRecord) this.#head = page.head;
    if (!sameRecord || page.head - last.position > farBehind) return this.#readNewest(signal);
    // More may have come in at either end meanwhile.
    const piece = this.#piece();
    if (!piece) return this.#readNewest(signal);
    const events = mergeEvents(piece.events, page.events);
    const next = events === piece.events ? piece : { ...piece, events };
    if (next !== piece) this.#set(next);
    return next;
  }

  async #readNewest(signal: AbortSignal | undefined): Promise<TimelinePiece> {
    const page = await this.#readPage({ limit: eventPageRows }, signal);
    const piece = { events: page.events, hasOlder: page.more };
    this.#set(piece);
    return piece;
  }

  /** One read at a time: a later one joins it, and it goes on until it has what was heard of meanwhile. */
  #catchUp(): void {
    void this.#client.refetchQueries({ queryKey: eventsKey, exact: true, type: "active" }, { cancelRefetch: false });
  }

  #isShown(): boolean {
    return this.#client.getQueryCache().find({ queryKey: eventsKey })?.isActive() ?? false;
  }

  #piece(): TimelinePiece | undefined {
    return this.#client.getQueryData<TimelinePiece>(eventsKey);
  }

  #set(piece: TimelinePiece): void {
    this.#client.setQueryData<TimelinePiece>(eventsKey, piece);
  }
}

function newestOf(events: TimelinePiece["events"]): TimelinePiece {
  return { events: events.slice(-keptRows), hasOlder: true };
}

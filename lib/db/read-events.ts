import type { EventPageRows, EventQuery, Head } from "#lib/core/ports/store.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Event, Prisma } from "./generated/sqlite/client.ts";
import { selectHeads, selectPositions, type EventSelection } from "./sqlite/event-statements.ts";
import { fromStoredJson, toStoredJson, toStoredText } from "./stored-text.ts";

type Reader = Prisma.TransactionClient;

/** A page of the timeline, within the limits of rows and of bytes, but never less than one event where there is one. */
export async function readEvents(client: Reader, query: EventQuery): Promise<EventPageRows> {
  const head = await readHeadPosition(client);
  const rows = Math.min(Math.max(query.limit, 1), limits.pageRows);
  const { events, more } = await readStoredEvents(client, { ...selectionOf(query), limit: rows });
  return { events: events.map(fromStoredEvent), head, more };
}

/** Such a page as the database keeps it, oldest first. */
export async function readStoredEvents(
  client: Reader,
  selection: EventSelection,
): Promise<{ events: Event[]; more: boolean }> {
  const found = await selectPositions(client, { ...selection, limit: selection.limit + 1 });
  const page = withinLimits(found, selection.limit);
  const events = await client.event.findMany({
    where: { position: { in: page.map(({ position }) => BigInt(position)) } },
    orderBy: { position: "asc" },
  });
  return { events, more: page.length < found.length };
}

/** One event, or null. */
export async function readEvent(client: Reader, position: number): Promise<DeskEvent | null> {
  if (!Number.isSafeInteger(position)) return null;
  const stored = await client.event.findUnique({ where: { position: BigInt(position) } });
  return stored && fromStoredEvent(stored);
}

/** Where an event stands in its chain, or null; its payload is not looked at. */
export async function readHeadAt(client: Reader, position: number): Promise<Head | null> {
  const select = { deskName: true, position: true, seq: true, hash: true } as const;
  const found = await client.event.findUnique({ where: { position: BigInt(position) }, select });
  return found && { ...found, position: Number(found.position), seq: Number(found.seq) };
}

/** The newest position, 0 where there is none. */
export async function readHeadPosition(client: Reader): Promise<number> {
  const last = await client.event.findFirst({ orderBy: { position: "desc" }, select: { position: true } });
  return Number(last?.position ?? 0);
}

/** The head of each stream, by position. */
export async function readHeads(client: Reader): Promise<Head[]> {
  const heads = await selectHeads(client);
  return heads.map((head) => ({ ...head, position: Number(head.position), seq: Number(head.seq) }));
}

/** An event as the domain knows it. */
export function fromStoredEvent(stored: Event): DeskEvent {
  const { deskName, kind, at, triggerId, payload, previousHash, hash } = stored;
  const position = Number(stored.position);
  const seq = Number(stored.seq);
  const content = fromStoredJson(payload);
  return { position, deskName, seq, kind, at, triggerId, payload: content, previousHash, hash } as DeskEvent;
}

function selectionOf(query: EventQuery): Omit<EventSelection, "limit"> {
  const { desk, kinds, tool, triggerId, text, after, before } = query;
  return {
    ...(desk === undefined ? {} : { desk: toStoredText(desk) }),
    ...(kinds === undefined ? {} : { kinds: [...new Set(kinds)] }),
    ...(tool === undefined ? {} : { tool: toStoredText(tool) }),
    ...(triggerId === undefined ? {} : { triggerId: toStoredText(triggerId) }),
    // As it stands inside a JSON string.
    ...(text === undefined ? {} : { text: toStoredJson(text).slice(1, -1) }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  };
}

function withinLimits<Weighed extends { bytes: number }>(found: readonly Weighed[], rows: number): Weighed[] {
  const page: Weighed[] = [];
  let total = 0;
  for (const each of found) {
    total += each.bytes;
    if (page.length === rows || (page.length > 0 && total > limits.pageBytes)) break;
    page.push(each);
  }
  return page;
}

import type { Digest } from "#lib/core/ports/digest.ts";
import { eventKindSchema, type EventPayload } from "#lib/protocol/events.ts";
import { eventFacts } from "#lib/db/event-facts.ts";
import { eventHash, firstPreviousHash } from "#lib/db/event-hash.ts";
import type { Event, Prisma } from "#lib/db/generated/sqlite/client.ts";
import { readStoredEvents } from "#lib/db/read-events.ts";
import { eventInWords, payloadOf, placeOf } from "./event-place.ts";
import type { Findings } from "./finding.ts";
import { reportStrayEvents } from "./stray-events.ts";

const pageRows = 500;

interface ChainEnd {
  seq: number;
  hash: string;
}

/**
 * Walks all events in order: positions and seqs without gaps, every hash, every chain, and that each event about a call
 * or a request has its row. Gives how many there are.
 */
export async function auditChains(
  reader: Prisma.TransactionClient,
  digest: Digest,
  findings: Findings,
): Promise<number> {
  const ends = new Map<string, ChainEnd>();
  let last = 0;
  let count = 0;
  for (;;) {
    const { events, more } = await readStoredEvents(reader, { after: last, limit: pageRows });
    for (const event of events) {
      const position = Number(event.position);
      if (position !== last + 1) {
        const gone = position === last + 2 ? `Position ${last + 1} is` : `Positions ${last + 1} to ${position - 1} are`;
        findings.add(`${gone} gone, before ${eventInWords(event)}.`, placeOf(event));
      }
      last = position;
      ends.set(event.deskName, auditLink(event, ends.get(event.deskName), digest, findings));
      auditFacts(event, findings);
    }
    count += events.length;
    await reportStrayEvents(reader, events, findings);
    if (!more || events.length === 0) return count;
  }
}

function auditLink(event: Event, before: ChainEnd | undefined, digest: Digest, findings: Findings): ChainEnd {
  const { position, seq, deskName } = placeOf(event);
  const place = { position, seq, deskName };
  if (seq !== (before?.seq ?? 0) + 1) {
    findings.add(
      `Seq ${(before?.seq ?? 0) + 1} of ${deskName} is not where it should be: ${eventInWords(event)}.`,
      place,
    );
  }
  if (event.previousHash !== (before?.hash ?? firstPreviousHash)) {
    findings.add(
      `The chain is broken before ${eventInWords(event)}: it does not name the hash of the one before.`,
      place,
    );
  }
  const { previousHash, kind, at, triggerId, payload: payloadText } = event;
  if (eventHash({ previousHash, position, deskName, seq, kind, at, triggerId, payloadText }, digest) !== event.hash) {
    findings.add(`Not as it was written: ${eventInWords(event)} does not have its hash.`, place);
  }
  return { seq, hash: event.hash };
}

// Columns that only serve reads must say what the payload says, or an event could be hidden from a filter.
function auditFacts(event: Event, findings: Findings): void {
  const kind = eventKindSchema.safeParse(event.kind);
  const payload = payloadOf(event);
  if (!kind.success || payload === null) {
    findings.add(`Cannot be read: ${eventInWords(event)}.`, placeOf(event));
    return;
  }
  const facts = eventFacts(kind.data, payload as EventPayload<typeof kind.data>);
  const isRight =
    (facts.subject ?? null) === event.subject &&
    (kind.data === "user_request_changed" || (facts.tool ?? null) === event.tool) &&
    Buffer.byteLength(event.payload) === event.bytes;
  if (!isRight)
    findings.add(`Would not be found: the search columns of ${eventInWords(event)} are wrong.`, placeOf(event));
}

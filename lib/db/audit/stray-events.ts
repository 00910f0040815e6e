import type { Event, Prisma } from "#lib/db/generated/sqlite/client.ts";
import { toStoredText } from "#lib/db/stored-text.ts";
import { eventInWords, payloadOf, placeOf } from "./event-place.ts";
import type { Findings } from "./finding.ts";

type Row = "call" | "request" | "trigger";

/** Which row an event is about, and where its payload has that row's id. */
const rowOfKind: Record<string, { row: Row; key: string }> = {
  tool_call: { row: "call", key: "callId" },
  tool_result: { row: "call", key: "callId" },
  user_request: { row: "request", key: "requestId" },
  user_request_changed: { row: "request", key: "requestId" },
  trigger_queued: { row: "trigger", key: "triggerId" },
  turn_started: { row: "trigger", key: "triggerId" },
  turn_ended: { row: "trigger", key: "triggerId" },
};

/** Reports the events of a page whose call, request or trigger is in no table. */
export async function reportStrayEvents(
  reader: Prisma.TransactionClient,
  events: readonly Event[],
  findings: Findings,
): Promise<void> {
  const wanted = { call: new Set<string>(), request: new Set<string>(), trigger: new Set<string>() };
  const about = events.flatMap((event) => {
    const of = rowOfKind[event.kind];
    if (of === undefined) return [];
    const id = toStoredText(String(payloadOf(event)?.[of.key]));
    wanted[of.row].add(id);
    return [{ event, row: of.row, id }];
  });
  const among = (ids: Set<string>) => ({ where: { id: { in: [...ids] } }, select: { id: true } });
  const found = {
    call: idsOf(await reader.toolCall.findMany(among(wanted.call))),
    request: idsOf(await reader.userRequest.findMany(among(wanted.request))),
    trigger: idsOf(await reader.trigger.findMany(among(wanted.trigger))),
  };
  for (const { event, row, id } of about) {
    if (found[row].has(id)) continue;
    findings.add(`There is no ${row} ${id} for ${eventInWords(event)}.`, placeOf(event));
  }
}

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map((row) => row.id));
}

import { isAllowedChange, requestLabel } from "#lib/core/user-requests-table.ts";
import { requestKindSchema, requestStateSchema } from "#lib/protocol/states.ts";
import type { Event, Prisma, UserRequest } from "#lib/db/generated/sqlite/client.ts";
import { eventInWords, payloadOf, placeOf } from "./event-place.ts";
import { eventsAbout } from "./events-about.ts";
import type { Findings } from "./finding.ts";

const pageRows = 100;

/**
 * Compares the requests with their events: each begins pending, each change goes on from the state before and is one
 * that may happen, and the last gives the row's state. Gives how many requests there are.
 */
export async function auditRequests(reader: Prisma.TransactionClient, findings: Findings): Promise<number> {
  let count = 0;
  let after = "";
  for (;;) {
    const page = { where: { id: { gt: after } }, orderBy: { id: "asc" }, take: pageRows } as const;
    const requests = await reader.userRequest.findMany(page);
    const last = requests.at(-1);
    if (last === undefined) return count;
    after = last.id;
    count += requests.length;
    const ids = requests.map((request) => request.id);
    const events = await eventsAbout(reader, ids, ["user_request", "user_request_changed"]);
    for (const request of requests) auditRequest(request, events.get(request.id) ?? [], findings);
  }
}

function auditRequest(request: UserRequest, events: readonly Event[], findings: Findings): void {
  const words = `${requestLabel(request.number)} (${request.kind}) of ${request.deskName}`;
  const [first, ...changes] = events;
  const kind = requestKindSchema.safeParse(request.kind);
  if (first?.kind !== "user_request" || !kind.success) {
    findings.add(`${words} does not begin with a user_request.`, { deskName: request.deskName });
    return;
  }
  const payload = payloadOf(first);
  const agrees =
    first.deskName === request.deskName &&
    payload?.["kind"] === request.kind &&
    payload["number"] === request.number &&
    payload["tool"] === request.tool &&
    payload["callId"] === request.callId;
  if (!agrees) findings.add(`${words} is not what ${eventInWords(first)} says.`, placeOf(first));

  let state = "pending";
  for (const event of changes) {
    const change = payloadOf(event);
    const from = requestStateSchema.safeParse(change?.["from"]).data;
    const to = requestStateSchema.safeParse(change?.["to"]).data;
    if (event.kind !== "user_request_changed" || from !== state || event.tool !== request.tool) {
      findings.add(`${words} was ${state}, which ${eventInWords(event)} does not go on from.`, placeOf(event));
    }
    if (from === undefined || to === undefined || !isAllowedChange(kind.data, from, to)) {
      findings.add(`${words} may not go from ${from} to ${to}, as ${eventInWords(event)} says.`, placeOf(event));
    }
    state = to ?? state;
  }
  if (state === request.state) return;
  const last = events.at(-1) ?? first;
  findings.add(`${words} is ${request.state}, but its events end with ${state}: ${eventInWords(last)}.`, placeOf(last));
}

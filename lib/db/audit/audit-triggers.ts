import type { Event, Prisma, Trigger } from "#lib/db/generated/sqlite/client.ts";
import { eventInWords, payloadOf, placeOf } from "./event-place.ts";
import { eventsOfTriggers } from "./events-about.ts";
import type { Findings } from "./finding.ts";

const pageRows = 100;

/**
 * Compares the triggers with their events: queued (again, where a restart interrupted it), started, ended, and nothing
 * behind its end. Gives how many triggers there are.
 */
export async function auditTriggers(reader: Prisma.TransactionClient, findings: Findings): Promise<number> {
  let count = 0;
  let after = "";
  for (;;) {
    const page = { where: { id: { gt: after } }, orderBy: { id: "asc" }, take: pageRows } as const;
    const triggers = await reader.trigger.findMany(page);
    const last = triggers.at(-1);
    if (last === undefined) return count;
    after = last.id;
    count += triggers.length;
    const ids = triggers.map((trigger) => trigger.id);
    const events = await eventsOfTriggers(reader, ids, ["trigger_queued", "turn_started", "turn_ended"]);
    for (const trigger of triggers) auditTrigger(trigger, events.get(trigger.id) ?? [], findings);
  }
}

function auditTrigger(trigger: Trigger, events: readonly Event[], findings: Findings): void {
  const words = `Trigger ${trigger.id} of ${trigger.deskName}`;
  let state: string | null = null;
  for (const event of events) {
    if (state !== null && !["queued", "running"].includes(state)) {
      findings.add(`${words} had ended, but then comes ${eventInWords(event)}.`, placeOf(event));
    }
    state = stateAfter(event);
  }
  if (state === trigger.state) return;
  const last = events.at(-1);
  const place = last === undefined ? { deskName: trigger.deskName } : placeOf(last);
  const said = last === undefined ? "it has no events" : `${eventInWords(last)} says ${state}`;
  findings.add(`${words} is ${trigger.state}, but ${said}.`, place);
}

function stateAfter(event: Event): string {
  if (event.kind === "trigger_queued") return "queued";
  return event.kind === "turn_started" ? "running" : String(payloadOf(event)?.["state"]);
}

import type { EventKind } from "#lib/protocol/events.ts";
import type { Event, Prisma } from "#lib/db/generated/sqlite/client.ts";

/** The events of these kinds about these calls, requests or rules, by what they are about, oldest first. */
export async function eventsAbout(
  reader: Prisma.TransactionClient,
  subjects: readonly string[],
  kinds: readonly EventKind[],
): Promise<Map<string, Event[]>> {
  const events = await reader.event.findMany({
    where: { subject: { in: [...subjects] }, kind: { in: [...kinds] } },
    orderBy: { position: "asc" },
  });
  return Map.groupBy(events, (event) => event.subject ?? "");
}

/** The events of these kinds of these triggers, by trigger, oldest first. */
export async function eventsOfTriggers(
  reader: Prisma.TransactionClient,
  triggerIds: readonly string[],
  kinds: readonly EventKind[],
): Promise<Map<string, Event[]>> {
  const events = await reader.event.findMany({
    where: { triggerId: { in: [...triggerIds] }, kind: { in: [...kinds] } },
    orderBy: { position: "asc" },
  });
  return Map.groupBy(events, (event) => event.triggerId ?? "");
}

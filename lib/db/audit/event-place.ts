import type { Event } from "#lib/db/generated/sqlite/client.ts";
import type { Finding } from "./finding.ts";

/** Where an event stands. */
export function placeOf(event: Pick<Event, "deskName" | "seq" | "position">): Required<Omit<Finding, "message">> {
  return { deskName: event.deskName, seq: Number(event.seq), position: Number(event.position) };
}

/** An event, as a finding names it. */
export function eventInWords(event: Pick<Event, "deskName" | "seq" | "position" | "kind">): string {
  return `${event.kind}, event ${event.seq} of ${event.deskName} (position ${event.position})`;
}

/** An event's payload, or null where its text is not a JSON object. */
export function payloadOf(event: Pick<Event, "payload">): Record<string, unknown> | null {
  try {
    const payload: unknown = JSON.parse(event.payload);
    return typeof payload === "object" && payload !== null ? (payload as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

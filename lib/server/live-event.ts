import type { DeskEvent } from "#lib/protocol/events.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { LiveEvent } from "#lib/protocol/socket.ts";

/** An event as the socket brings it: whole, or without its payload and with its size where it is too large. */
export function liveEvent(event: DeskEvent): LiveEvent {
  const size = Buffer.byteLength(JSON.stringify(event));
  return size <= limits.liveEventBytes ? event : { ...event, payload: null, size };
}

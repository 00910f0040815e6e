import type { EventKind, EventPayload } from "#lib/protocol/events.ts";

/** Columns of an event that its payload gives, so that reads find it by index. */
export interface EventFacts {
  /** The tool of a call or of a request; a change of a request has its request's. */
  tool: string | null;
  /** The call, the request or the rule that it is about. */
  subject: string | null;
}

/** The facts of an event. What a change of a request is about in tools only the request knows: null here. */
export function eventFacts<K extends EventKind>(kind: K, payload: EventPayload<K>): EventFacts {
  const event = { kind, payload } as {
    [Each in EventKind]: { kind: Each; payload: EventPayload<Each> };
  }[EventKind];
  switch (event.kind) {
    case "tool_call":
    case "tool_result":
      return { tool: event.payload.name, subject: event.payload.callId };
    case "user_request":
      return { tool: event.payload.tool, subject: event.payload.requestId };
    case "user_request_changed":
      return { tool: null, subject: event.payload.requestId };
    case "policy_changed":
      return { tool: null, subject: event.payload.ruleId };
    default:
      return { tool: null, subject: null };
  }
}

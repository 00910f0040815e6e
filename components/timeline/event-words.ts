import { type EventKind, type EventPayload, eventPayloads } from "#lib/protocol/events.ts";
import type { TimelineEvent } from "#components/data/merge-events.ts";
import { durationOf } from "#components/times.ts";

/** What the colour of a row says; it comes from the record's own status, never from what somebody wrote. */
export type RowLook = "plain" | "quiet" | "done" | "failed" | "waits";

/** A row of the timeline, in words. */
export interface EventWords {
  look: RowLook;
  /** Deskboard's own words. */
  words: string;
  /** A tool's name. */
  tool?: string;
  /** Somebody else's words, and whose. */
  quoted?: { whose: string; text: string; fromDesk?: boolean; code?: boolean };
  duration?: string;
}

const callLooks = {
  succeeded: "plain",
  failed: "failed",
  uncertain: "failed",
  refused: "failed",
  denied: "failed",
  held: "waits",
} as const;

const requestLooks: Partial<Record<string, RowLook>> = {
  approved: "done",
  running: "quiet",
  completed: "done",
  answered: "done",
  resolved: "done",
  settled: "done",
  failed: "failed",
  denied: "failed",
  uncertain: "failed",
  pending: "waits",
};

const kindWords = { permission: "waits for approval", question: "asks", uncertain: "may or may not have run" } as const;

function message(payload: EventPayload<"message">, desk: string): EventWords {
  const whose = payload.from === "desk" ? desk : payload.from === "deskboard" ? "Deskboard" : payload.name;
  const quoted = { whose, text: payload.text, fromDesk: payload.from === "desk" };
  return { look: "plain", words: payload.from === "person" ? "message" : "", quoted };
}

function turnEnded(payload: EventPayload<"turn_ended">): EventWords {
  const by = payload.by === undefined ? "" : ` by ${payload.by}`;
  const reason = payload.reason === undefined ? "" : `: ${payload.reason}`;
  return { look: payload.state === "failed" ? "failed" : "quiet", words: `turn ${payload.state}${by}${reason}` };
}

function toolResult(payload: EventPayload<"tool_result">): EventWords {
  return {
    look: callLooks[payload.status],
    words: payload.status === "succeeded" ? "" : payload.status,
    tool: payload.name,
    quoted: { whose: `result of ${payload.name}`, text: payload.text, code: true },
    ...(payload.durationMs !== undefined && { duration: durationOf(payload.durationMs) }),
  };
}

function requestChanged(payload: EventPayload<"user_request_changed">): EventWords {
  const by = payload.by === undefined ? "" : ` by ${payload.by}`;
  const back = payload.to === "pending" ? " again: the approval is void" : "";
  return {
    look: requestLooks[payload.to] ?? "quiet",
    words: `R-${payload.number} ${payload.to}${by}${back}`,
    ...(payload.reason !== undefined && {
      quoted: { whose: payload.by === undefined ? "reason" : `words of ${payload.by}`, text: payload.reason },
    }),
  };
}

function backendFailed(payload: EventPayload<"backend_failed">): EventWords {
  const completed =
    payload.completed.length === 0 ? "Nothing had been completed" : `${payload.completed.length} completed`;
  const next = payload.next === null ? "no backend is left" : `next: ${payload.next}`;
  return {
    look: "failed",
    words: `${payload.backend} failed: ${payload.kind.replaceAll("_", " ")}. ${completed}; ${next}`,
    quoted: { whose: `message of ${payload.backend}`, text: payload.message },
  };
}

function toolCall(payload: EventPayload<"tool_call">): EventWords {
  return {
    look: "plain",
    words: payload.requestId === undefined ? "" : "as approved",
    tool: payload.name,
    quoted: {
      whose: `arguments of ${payload.name}`,
      text: payload.arguments === undefined ? "" : JSON.stringify(payload.arguments),
      code: true,
    },
  };
}

function userRequest(payload: EventPayload<"user_request">, deskName: string): EventWords {
  return {
    look: "waits",
    words: `R-${payload.number} ${kindWords[payload.kind]}`,
    quoted: { whose: payload.kind === "question" ? deskName : payload.tool, text: payload.summary },
  };
}

function triggerQueued(payload: EventPayload<"trigger_queued">): EventWords {
  const again = payload.runs > 0 ? ", again after a restart" : "";
  return { look: "quiet", words: `queued: ${payload.kind} from ${payload.from}${again}` };
}

function deskChanged(payload: EventPayload<"desk_changed">): EventWords {
  const changed = Object.keys(payload.changes).join(", ");
  const words = `desk ${payload.status}${changed === "" ? "" : `, changed: ${changed}`}, by ${payload.by}`;
  return { look: payload.capReached ? "waits" : "plain", words };
}

const inWords: { [K in EventKind]: (payload: EventPayload<K>, deskName: string) => EventWords } = {
  message,
  trigger_queued: triggerQueued,
  turn_started: ({ run }) => ({ look: "quiet", words: run > 1 ? `turn started, run ${run}` : "turn started" }),
  turn_ended: turnEnded,
  tool_call: toolCall,
  tool_result: toolResult,
  user_request: userRequest,
  user_request_changed: requestChanged,
  backend_failed: backendFailed,
  desk_changed: deskChanged,
  policy_changed: ({ change, by }) => ({ look: "plain", words: `rule ${change} by ${by}` }),
};

/** An event of the record in words. */
export function wordsOf(event: TimelineEvent): EventWords {
  const { kind, deskName } = event;
  const payload = eventPayloads[kind].safeParse(event.payload);
  if (!payload.success) {
    const text = JSON.stringify(event.payload) ?? "";
    return { look: "plain", words: kind, quoted: { whose: "payload", text, code: true } };
  }
  // The payload was parsed by the schema of this very kind.
  const words = inWords[kind] as (payload: unknown, deskName: string) => EventWords;
  return words(payload.data, deskName);
}

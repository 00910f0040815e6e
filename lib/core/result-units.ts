import type { NewEvent } from "#lib/protocol/events.ts";
import type { CoreDeps } from "./deps.ts";
import {
  changedEvent,
  endedCall,
  requestEvent,
  requestOutcome,
  resultEvent,
  statusOf,
  uncertainRequest,
} from "./call-units.ts";
import { outcomeTrigger } from "./outcome-triggers.ts";
import { isoNow } from "./ports/clock.ts";
import type { Change, Unit } from "./ports/unit.ts";
import type { CallRow, RequestRow } from "./record.ts";
import { uncertainText } from "./request-texts.ts";
import type { ToolResult } from "./tool.ts";
import { requestLabel } from "./user-requests-table.ts";

/** A call that has come to its end. */
export interface EndedCall {
  row: CallRow;
  result: ToolResult;
  /** The request that the call carries out: an approved hold, or an uncertain call that is run again. */
  request: RequestRow | null;
  toolDigest: string;
}

/** The unit that records a call's end, with all that follows from it. */
export interface ResultUnit {
  unit: Unit;
  row: CallRow;
  /** Where the outcome is not known: the request that a person has to look at. */
  uncertain: RequestRow | null;
}

/**
 * Builds the unit of a call's end: the call, its `tool_result`, for an unknown outcome the `uncertain` request, and for a
 * call that carries out a request the request's end and the trigger that tells the desk.
 */
export function resultUnit(end: EndedCall, deps: Pick<CoreDeps, "ids" | "clock">): ResultUnit {
  const { row, result, request } = end;
  const at = isoNow(deps.clock);
  const uncertain =
    result.outcome === "unknown"
      ? uncertainRequest(
          row,
          { id: deps.ids.next(), number: deps.ids.nextRequestNumber(), toolDigest: end.toolDigest },
          `Whether this call took effect is not known: ${result.text}`,
          at,
        )
      : null;
  const text = uncertain ? uncertainText(result.text, uncertain.number) : result.text;
  const ended = endedCall(row, result, { at, text, pictureId: deps.ids.next() });
  const startedMs = Date.parse(row.startedAt ?? row.recordedAt);
  const changes: Change[] = [...ended.changes];
  const events: NewEvent[] = [resultEvent(ended.row, Math.max(0, Date.parse(at) - startedMs))];
  if (uncertain) {
    changes.push({ insert: "request", row: uncertain });
    events.push(requestEvent(uncertain, `${row.name}: the outcome is not known`));
  }
  const outcome = request && outcomeOf(request, result, text, deps.ids.next(), at, uncertain);
  changes.push(...(outcome?.changes ?? []));
  events.push(...(outcome?.events ?? []));
  const unit: Unit = {
    name: request ? "approvedResult" : "result",
    when: [
      { that: "call", id: row.id, status: ["running"] },
      ...(request?.kind === "permission" ? [{ that: "request", id: request.id, state: ["running"] } as const] : []),
    ],
    changes,
    events,
  };
  return { unit, row: ended.row, uncertain };
}

function outcomeOf(
  request: RequestRow,
  result: ToolResult,
  text: string,
  triggerId: string,
  at: string,
  uncertain: RequestRow | null,
): { changes: Change[]; events: NewEvent[] } {
  if (request.kind === "permission") {
    const to = ({ succeeded: "completed", failed: "failed", uncertain: "uncertain" } as const)[
      statusOf(result.outcome)
    ];
    const reason = uncertain ? `see ${requestLabel(uncertain.number)}` : undefined;
    return requestOutcome(request, to, { text, at, triggerId, ...(reason !== undefined && { reason }) });
  }
  const told = outcomeTrigger(request, triggerId, at, {
    state: "resolved",
    resolution: "runAgain",
    by: request.decidedBy,
    note: request.note === "" ? null : request.note,
    resultText: text,
  });
  return {
    changes: [{ update: "request", key: request.id, set: { resultText: text } }, told.change],
    events: [told.event],
  };
}

/** The unit of a result that came after its call was taken as uncertain: it settles the request, if nobody has. */
export function settlementUnit(uncertain: RequestRow, result: ToolResult, deps: Pick<CoreDeps, "ids" | "clock">): Unit {
  const at = isoNow(deps.clock);
  const told = outcomeTrigger(uncertain, deps.ids.next(), at, {
    state: "settled",
    by: null,
    note: result.outcome === "done" ? "it took effect" : "it did not take effect",
    resultText: result.text,
  });
  return {
    name: "settlement",
    when: [{ that: "request", id: uncertain.id, state: ["pending"] }],
    changes: [
      { update: "request", key: uncertain.id, set: { state: "settled", resultText: result.text, decidedAt: at } },
      told.change,
    ],
    events: [
      changedEvent(uncertain, {
        from: "pending",
        to: "settled",
        reason: `late return, ${result.outcome === "done" ? "done" : "not done"}: ${result.text}`,
      }),
      told.event,
    ],
  };
}

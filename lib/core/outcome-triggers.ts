import type { NewEvent } from "#lib/protocol/events.ts";
import type { JsonObject } from "#lib/protocol/json.ts";
import type { TriggerKind } from "#lib/protocol/states.ts";
import { outcomeText } from "./request-texts.ts";
import type { OutcomeData } from "./outcome-data.ts";
import type { Change } from "./ports/unit.ts";
import type { RequestRow, TriggerRow } from "./record.ts";
import { requestLabel } from "./user-requests-table.ts";

/** A new trigger of a desk. */
export interface TriggerDraft {
  id: string;
  deskName: string;
  kind: TriggerKind;
  from: string;
  text: string;
  data?: JsonObject;
  requestId?: string | null;
  clientId?: string | null;
  at: string;
}

/** A trigger's row and its event, for the unit that it comes with. */
export function queueTrigger(draft: TriggerDraft): { change: Change; event: NewEvent; row: TriggerRow } {
  const row: TriggerRow = {
    id: draft.id,
    deskName: draft.deskName,
    kind: draft.kind,
    state: "queued",
    priority: draft.kind === "schedule" || draft.kind === "webhook" ? 1 : 0,
    from: draft.from,
    text: draft.text,
    data: draft.data ?? {},
    requestId: draft.requestId ?? null,
    clientId: draft.clientId ?? null,
    runs: 0,
    attempt: 0,
    attemptOpen: false,
    backend: null,
    stoppedAt: null,
    createdAt: draft.at,
    startedAt: null,
    endedAt: null,
    endReason: null,
  };
  return { change: { insert: "trigger", row }, event: queuedEvent(row), row };
}

/** The event that says that a trigger waits. */
export function queuedEvent(row: TriggerRow): NewEvent {
  return {
    deskName: row.deskName,
    kind: "trigger_queued",
    triggerId: row.id,
    payload: {
      triggerId: row.id,
      kind: row.kind,
      from: row.from,
      text: row.text,
      ...(row.requestId !== null && { requestId: row.requestId }),
      runs: row.runs,
    },
  };
}

/** The trigger that tells a desk what became of its request. */
export function outcomeTrigger(
  request: Pick<RequestRow, "id" | "number" | "deskName" | "tool" | "arguments">,
  id: string,
  at: string,
  outcome: Pick<OutcomeData, "state" | "by" | "note" | "resultText"> & { resolution?: OutcomeData["resolution"] },
): { change: Change; event: NewEvent } {
  const data: OutcomeData = {
    resolution: null,
    ...outcome,
    requestId: request.id,
    label: requestLabel(request.number),
    tool: request.tool,
    arguments: request.arguments,
  };
  return queueTrigger({
    id,
    deskName: request.deskName,
    kind: "outcome",
    from: data.label,
    text: outcomeText(data),
    data: { ...data },
    requestId: request.id,
    at,
  });
}

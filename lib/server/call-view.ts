import { picturePath } from "#lib/core/call-units.ts";
import type { CallRow } from "#lib/core/record.ts";
import type { CallView } from "#lib/protocol/views.ts";

/** A call of the history, as people see it. */
export function callView(row: CallRow): CallView {
  return {
    callId: row.id,
    deskName: row.deskName,
    triggerId: row.triggerId,
    attempt: row.attempt,
    backend: row.backend,
    name: row.name,
    argumentsGiven: row.argumentsGiven,
    arguments: row.arguments,
    effect: row.effect,
    verdict: row.verdict,
    verdictReason: row.verdictReason,
    status: row.status,
    outcome: row.outcome,
    resultText: row.resultText,
    isError: row.isError,
    picturePath: row.pictureId === null ? null : picturePath(row.pictureId),
    requestId: row.requestId,
    recordedAt: row.recordedAt,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
  };
}

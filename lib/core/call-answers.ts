import type { JsonObject } from "#lib/protocol/json.ts";
import { picturePath } from "./call-units.ts";
import type { CallAnswer } from "./ports/backend.ts";
import type { CallRow } from "./record.ts";
import type { RememberedCall } from "./turn-memory.ts";

/** What a caller gets of a call that has ended. */
export function answerOf(row: CallRow): CallAnswer {
  return {
    callId: row.id,
    status: row.status,
    text: row.resultText ?? "",
    isError: row.isError ?? true,
    outcome: row.outcome ?? "notDone",
    requestId: row.requestId,
    picturePath: row.pictureId === null ? null : picturePath(row.pictureId),
  };
}

/** What the next attempt is shown of a call that ran or was held. */
export function rememberedCall(row: CallRow, requestId: string | null): RememberedCall {
  return {
    callId: row.id,
    name: row.name,
    arguments: JSON.parse(row.arguments ?? "{}") as JsonObject,
    resultText: row.resultText ?? "",
    isError: row.isError ?? true,
    effect: row.effect ?? "write",
    attempt: row.attempt,
    requestId,
  };
}

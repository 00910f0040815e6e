import type { RequestKind } from "#lib/protocol/states.ts";
import { AppError } from "./app-error.ts";
import type { CommitResult } from "./ports/unit.ts";
import type { RequestRow } from "./record.ts";
import { requestLabel } from "./user-requests-table.ts";

const kindWords: Record<RequestKind, string> = {
  question: "a question: it is answered or dismissed",
  permission: "a hold: it is approved or denied",
  uncertain: "a call of unknown outcome: it is resolved",
};

/** A door of one kind of request was used for another. */
export function wrongKind(request: RequestRow, kind: RequestKind): AppError {
  const message = `${requestLabel(request.number)} is ${kindWords[request.kind]}; this is for ${kindWords[kind]}`;
  return new AppError("invalid", message, { field: "id", limit: kind, given: request.kind });
}

/** Somebody, or the time, was first: says who decided what, and when (P5). */
export function lost(request: RequestRow): AppError {
  const label = requestLabel(request.number);
  if (request.state === "expired") {
    return new AppError("expired", `${label} expired at ${request.expiresAt ?? "an unknown time"}; it did not run.`, {
      request,
    });
  }
  if (request.state === "cancelled") {
    return new AppError("already_decided", `${label} was cancelled${by(request)}; it did not run.`, { request });
  }
  if (request.state === "settled") {
    return new AppError("already_decided", `${label} was settled by a result that came late.`, { request });
  }
  if (request.decidedBy === null) {
    return new AppError(
      "already_decided",
      `${label} changed while it was decided; it is ${request.state}. Look at it again.`,
      { request },
    );
  }
  const verbs: Record<string, string> = {
    approve: "approved",
    deny: "denied",
    answer: "answered",
    dismiss: "dismissed",
  };
  const did = verbs[request.decision ?? ""] ?? `resolved (${request.decision ?? "?"})`;
  return new AppError("already_decided", `${label} was ${did}${by(request)}; it is ${request.state}.`, { request });
}

/** The result of a unit that need not be tried, since the request does not wait any more. */
export function notPending(request: RequestRow): CommitResult {
  return {
    committed: false,
    failed: { that: "request", id: request.id, state: ["pending"] },
    winner: { table: "request", row: request },
  };
}

function by(request: RequestRow): string {
  return request.decidedBy === null ? "" : ` by ${request.decidedBy} at ${request.decidedAt ?? "?"}`;
}

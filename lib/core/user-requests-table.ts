import type { RequestKind, RequestState } from "#lib/protocol/states.ts";

/**
 * The one table of what may become of a user request. What is not in it cannot happen; a state without a way out is
 * final.
 */
export const requestChanges: Record<RequestKind, Partial<Record<RequestState, readonly RequestState[]>>> = {
  question: {
    pending: ["answered", "dismissed", "expired", "cancelled"],
  },
  permission: {
    pending: ["approved", "denied", "expired", "cancelled"],
    approved: ["running", "pending", "cancelled"],
    running: ["completed", "failed", "uncertain"],
  },
  uncertain: {
    pending: ["resolved", "settled"],
  },
};

/** Whether a request of this kind may go from one state to the other. */
export function isAllowedChange(kind: RequestKind, from: RequestState, to: RequestState): boolean {
  return requestChanges[kind][from]?.includes(to) ?? false;
}

/** Whether nothing can become of it any more. */
export function isFinal(kind: RequestKind, state: RequestState): boolean {
  return requestChanges[kind][state] === undefined;
}

/** How people read a request's number. */
export function requestLabel(number: number): string {
  return `R-${number}`;
}

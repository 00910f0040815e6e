import type { ErrorBody, ErrorCode } from "#lib/protocol/errors.ts";

interface RequestFailedDetails extends Partial<Omit<ErrorBody["error"], "code" | "message">> {
  cause?: unknown;
}

/**
 * Why the server did not do what was asked. `unreachable`: no answer came, so it may or may not have been done;
 * `unreadable`: an answer that this page does not understand.
 */
export class RequestFailed extends Error {
  readonly code: ErrorCode | "unreachable" | "unreadable";
  readonly details: RequestFailedDetails;

  constructor(code: RequestFailed["code"], message: string, details: RequestFailedDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "RequestFailed";
    this.code = code;
    this.details = details;
  }
}

import { isAppError } from "#lib/core/app-error.ts";
import { cutText } from "#lib/core/canonical.ts";
import type { Log } from "#lib/core/ports/log.ts";
import { errorStatus, type ErrorBody } from "#lib/protocol/errors.ts";
import { redactText } from "./redact.ts";

const longestGiven = 200;

/** An error as it leaves the server. */
export interface ErrorForm {
  status: number;
  body: ErrorBody;
}

/**
 * The one place where an error becomes an answer. An `AppError` says what the caller did wrong; anything else is a bug:
 * it is logged, and the caller gets no detail.
 */
export function errorForm(error: unknown, log: Log): ErrorForm {
  if (!isAppError(error) || error.code === "internal") {
    log.error({ err: error }, "a request failed by a bug");
    return {
      status: errorStatus.internal,
      body: { error: { code: "internal", message: "Something went wrong here; the log has the details." } },
    };
  }
  const { field, limit, given, request } = error.details;
  if (errorStatus[error.code] >= 500) log.error({ err: error }, "a request failed");
  return {
    status: errorStatus[error.code],
    body: {
      error: {
        code: error.code,
        message: error.message,
        ...(field !== undefined && { field }),
        ...(limit !== undefined && { limit }),
        ...(given !== undefined && { given: shortened(given) }),
        ...(request !== undefined && { request }),
      },
    },
  };
}

function shortened(given: string): string {
  const clean = redactText(given).toWellFormed();
  return clean.length <= longestGiven ? clean : `${cutText(clean, longestGiven)}… (${clean.length} characters)`;
}

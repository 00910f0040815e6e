import type { ErrorCode } from "#lib/protocol/errors.ts";

export interface AppErrorDetails {
  /** Which field or parameter is wrong. */
  field?: string;
  /** What is allowed. */
  limit?: string;
  /** What was given, shortened. */
  given?: string;
  /** The row that won, where a decision came too late. */
  request?: unknown;
  cause?: unknown;
}

/** An expected failure for a caller, mapped to an HTTP status in one place. Tell them apart by `code` only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: AppErrorDetails;

  constructor(code: ErrorCode, message: string, details: AppErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }
}

/** Whether a caught value is an `AppError`, also across two copies of this module. */
export function isAppError(value: unknown): value is AppError {
  return value instanceof Error && value.name === "AppError" && "code" in value && "details" in value;
}

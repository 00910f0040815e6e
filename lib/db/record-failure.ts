import { AppError, isAppError } from "#lib/core/app-error.ts";

/**
 * What a caller is told when the record could not be written or read: `already_exists` for a key that is taken,
 * `record_unavailable` for a database that cannot (full, closed, locked, broken), `internal` for a row that no database
 * would take. Our own errors pass.
 */
export function recordFailure(error: unknown): AppError {
  if (isAppError(error)) return error;
  const details = { cause: error };
  if (error instanceof Error && error.name === "PrismaClientValidationError") {
    return new AppError("internal", "The record was given what it has no column for.", details);
  }
  if (error instanceof Error && "code" in error && error.code === "P2002") {
    return new AppError("already_exists", "The record has a row with this key already.", details);
  }
  return new AppError("record_unavailable", "The record could not be reached; nothing was changed.", details);
}

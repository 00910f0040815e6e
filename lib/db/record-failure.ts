import { AppError, isAppError } from "#lib/core/app-error.ts";

/**
 * What a caller is told when the record could not be written or read: `already_exists` for a key that is taken,
 * `record_unavailable` for a database that cannot (full, closed, locked, broken). Our own errors pass.
 */
export function recordFailure(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (prismaCode(error) === "P2002") {
    return new AppError("already_exists", "The record has a row with this key already.", { cause: error });
  }
  return new AppError("record_unavailable", "The record could not be reached; nothing was changed.", {
    cause: error,
  });
}

function prismaCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

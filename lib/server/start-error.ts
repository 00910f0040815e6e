/**
 * The server cannot start, for a reason that whoever starts it can mend: a wrong setting, a port that is taken, data
 * that another process owns. Its message is one or more readable lines; no stack is shown.
 */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartError";
  }
}

/** Whether a caught value is a `StartError`, also across two copies of this module. */
export function isStartError(value: unknown): value is StartError {
  return value instanceof Error && value.name === "StartError";
}

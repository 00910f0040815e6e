import { isAppError } from "#lib/core/app-error.ts";
import { escapeControls } from "./escape-controls.ts";
import { redactText } from "./redact.ts";
import { isStartError } from "./start-error.ts";

/** What the terminal shows when the server cannot start: readable lines, and a stack only where it is a bug. */
export function startFailure(error: unknown): string {
  const text = isExpected(error)
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  const lines = redactText(text).split("\n").map(escapeControls);
  return `Deskboard cannot start.\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}

function isExpected(error: unknown): error is Error {
  return isStartError(error) || (isAppError(error) && error.code !== "internal");
}

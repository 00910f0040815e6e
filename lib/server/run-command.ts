import { isAppError } from "#lib/core/app-error.ts";
import { escapeControls } from "./escape-controls.ts";
import { redactText } from "./redact.ts";
import { isStartError } from "./start-error.ts";

/** Prints lines of a command, with control characters made visible. */
export function printLines(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${escapeControls(line)}\n`);
}

/**
 * Runs a command to its exit code. What it throws is said on the error output behind `failed`, with a stack only where it
 * is a bug, and ends it with 2.
 */
export async function runCommand(failed: string, run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const lines = redactText(inWords(error)).split("\n").map(escapeControls);
    process.stderr.write(`${failed}\n${lines.join("\n")}\n`);
    process.exitCode = 2;
  }
}

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An option that it does not know, or one without its value.
  const isUsage = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  const isExpected: boolean = isUsage || isAppError(error) || isStartError(error);
  return isExpected ? error.message : (error.stack ?? error.message);
}

import { Writable } from "node:stream";
import { pino } from "pino";
import type { Log } from "#lib/core/ports/log.ts";
import type { Settings } from "./env.ts";
import { escapeControls } from "./escape-controls.ts";
import { redactFields, redactText } from "./redact.ts";

const longestText = 4_000;

/** Where finished lines go; the standard output, unless a test wants them. */
export type WriteLine = (line: string) => void;

/**
 * The log: one JSON object a line. Fields with a secret's name are hidden wherever they lie, and so is the anchor key
 * and what looks like a token in any text; control characters come out as `\u001b`, so that no text that a model or a
 * person wrote can act on a terminal.
 */
export function createLog(
  settings: Pick<Settings, "logLevel" | "anchorKey">,
  write: WriteLine = (line) => process.stdout.write(line),
): Log {
  // A key with a quote in it stands in a line of JSON in another spelling.
  const secrets =
    settings.anchorKey === null ? [] : [settings.anchorKey, JSON.stringify(settings.anchorKey).slice(1, -1)];
  const lines = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      write(`${escapeControls(redactText(line.trimEnd(), secrets))}\n`);
      done();
    },
  });
  const logger = pino(
    {
      level: settings.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactFields(fields) as Record<string, unknown>,
      },
      serializers: { err: describeError },
    },
    lines,
  );
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
}

/** An error as the log shows it: what it is and where, its causes too, without the values that it carries along. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? cut(error) : redactFields(error);
  return {
    type: error.name,
    message: cut(error.message),
    ...("code" in error && { code: String(error.code) }),
    stack: cut(error.stack ?? ""),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text;
}

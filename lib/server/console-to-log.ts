import { format, stripVTControlCharacters } from "node:util";
import type { Log } from "#lib/core/ports/log.ts";

/**
 * Sends to the log what Next, React and Node print: a terminal gets nothing raw, and one reader reads all.
 * @returns puts the console back as it was.
 */
export function consoleToLog(log: Log, target: Console = console): () => void {
  const original = { ...target };
  const to = (write: Log["info"]) => {
    return (...args: unknown[]) => write({ from: "console" }, stripVTControlCharacters(format(...args)));
  };
  const info = to(log.info);
  Object.assign(target, { debug: info, log: info, info, warn: to(log.warn), error: to(log.error) });
  return () => void Object.assign(target, original);
}

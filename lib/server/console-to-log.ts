import { format, stripVTControlCharacters } from "node:util";
import type { Log } from "#lib/core/ports/log.ts";

/** Sends to the log what Next, React and Node print: a terminal gets nothing raw, and one reader reads all. */
export function consoleToLog(log: Log, target: Console = console): void {
  const to = (level: keyof Log) => {
    return (...args: unknown[]) => log[level]({ from: "console" }, stripVTControlCharacters(format(...args)));
  };
  const info = to("info");
  Object.assign(target, { debug: info, log: info, info, warn: to("warn"), error: to("error") });
}

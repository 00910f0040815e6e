import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname } from "node:path";
import process from "node:process";
import { LaunchError } from "./launch-error.mjs";
import { nodePath } from "./node-runtime.mjs";
import { root } from "./paths.mjs";

/**
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, output: string }} Ending
 * @typedef {{ env?: Record<string, string | undefined>, quiet?: boolean, timeoutMs?: number }} RunOptions
 */

// What a person or a company set for npm; the rest of `npm_*` describes the outer npm's run and misleads an inner one.
const kept = /^npm_config_(registry|cafile|ca|cache|proxy|https_proxy|noproxy|strict_ssl|userconfig|globalconfig)$/i;

/**
 * The environment for what the launcher starts: the wanted Node first on the PATH, no leftovers of npm.
 * @param {Record<string, string | undefined>} extra
 * @returns {any} Next declares NODE_ENV more narrowly than it is.
 */
function environment(extra) {
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name));
  const path = [dirname(nodePath()), process.env.PATH].filter(Boolean).join(delimiter);
  const own = { PATH: path, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: "1" };
  const plain = process.stdout.isTTY || process.env.FORCE_COLOR ? {} : { NO_COLOR: "1" };
  return { ...Object.fromEntries(entries), ...own, ...plain, ...extra };
}

/** @type {import("node:child_process").ChildProcess | undefined} */
let child;
/** @type {NodeJS.Signals | undefined} */
let interruption;
let interruptedAt = 0;

/** The process that runs now, if one does. */
export const runningPid = () => child?.pid;

/** Whether a signal has asked the launcher to end. */
export const isInterrupted = () => interruption !== undefined;

/** Throws once a signal has asked the launcher to end: nothing new is started then. */
export function stopIfInterrupted() {
  if (interruption) throw new LaunchError(`Stopped by ${interruption}.`, 128 + constants.signals[interruption]);
}

/**
 * The first signal lets nothing new start and goes to what runs; those of the next second are the same one, sent again
 * by npm; a later one is insistence, and goes on as well.
 * @param {NodeJS.Signals} signal
 * @param {boolean} [childHasIt]
 */
function interrupt(signal, childHasIt = false) {
  const isFirst = interruption === undefined;
  if (isFirst) interruptedAt = Date.now();
  else if (Date.now() - interruptedAt < 1000) return;
  interruption ??= signal;
  if (!isFirst || !childHasIt) child?.kill(signal);
}

/**
 * Hands signals on to whatever runs, and lets it end in its own time. A terminal sends Ctrl+C to its whole group, so
 * that the child has it already. An npm that was killed sends nothing: that its process is gone says as much.
 */
export function forwardSignals() {
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  process.on("SIGINT", () => interrupt("SIGINT", hasTerminal));
  process.on("SIGTERM", () => interrupt("SIGTERM"));
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    interrupt("SIGTERM");
  }, 1000);
  watch.unref();
}

/**
 * Runs a program to its end. With `quiet`, what it prints is kept and returned instead of shown.
 * @param {string} program
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Ending>}
 */
export function run(program, args, { env = {}, quiet, timeoutMs } = {}) {
  stopIfInterrupted();
  return new Promise((resolve, reject) => {
    const started = spawn(program, args, {
      cwd: root,
      env: environment(env),
      stdio: ["ignore", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"],
      timeout: timeoutMs,
    });
    child = started;
    let output = "";
    for (const stream of [started.stdout, started.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    started.on("error", (error) => {
      child = undefined;
      reject(new LaunchError(`${program} could not be started: ${error.message}`, 127));
    });
    started.on("close", (code, signal) => {
      child = undefined;
      resolve({ code, signal, output });
    });
  });
}

/**
 * Runs a script under the wanted Node.
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export const runNode = (args, options) => run(nodePath(), args, options);

/**
 * What a shell would say of this ending.
 * @param {Ending} ending
 */
export const exitCodeOf = ({ code, signal }) => code ?? 128 + (signal ? constants.signals[signal] : 0);

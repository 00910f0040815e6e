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
  return { ...Object.fromEntries(entries), ...own, ...extra };
}

/** @type {import("node:child_process").ChildProcess | undefined} */
let child;
/** @type {NodeJS.Signals | undefined} */
let interruption;

/** The process that runs now, if one does. */
export const runningPid = () => child?.pid;

/** Whether a signal has asked the launcher to end. */
export const isInterrupted = () => interruption !== undefined;

/** Throws once a signal has asked the launcher to end: nothing new is started then. */
export function stopIfInterrupted() {
  if (interruption) throw new LaunchError(`Stopped by ${interruption}.`, 128 + constants.signals[interruption]);
}

/**
 * Hands signals on to whatever runs, and lets it end in its own time. A terminal sends Ctrl+C to the whole group, and
 * npm sends it once more: there the child has it already, and only a second, later Ctrl+C is handed on.
 */
export function forwardSignals() {
  const terminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  let firstAt = 0;
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM"];
  for (const signal of signals) {
    process.on(signal, () => {
      const again = interruption !== undefined;
      if (again && Date.now() - firstAt < 1000) return;
      if (!again) firstAt = Date.now();
      interruption ??= signal;
      if (signal !== "SIGINT" || !terminal || again) child?.kill(signal);
    });
  }
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

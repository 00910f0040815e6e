import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { runningPid, stopIfInterrupted } from "./processes.mjs";

const beatMs = 1_000;
/** A living holder writes every second. One that was silent for so long is gone, and its number is another's by now. */
const silentMs = 60_000;
/** A holder that was killed may have left its npm running: wait for that one, but not for ever. */
const orphanMs = 600_000;

/** @param {unknown} error */
const codeOf = (error) => /** @type {{ code?: string }} */ (error).code;

/** @param {number} pid */
function isAlive(pid) {
  if (Number.isNaN(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/**
 * Who holds the lock, or undefined: the launcher named in its first line, or what that one had started, in its second.
 * @param {string} file
 */
function holder(file) {
  try {
    const silentFor = Date.now() - statSync(file).mtimeMs;
    const [launcher = "", started = ""] = readFileSync(file, "utf8").split("\n");
    // Between its creation and its first line a lock is empty for a moment: that is no dead holder.
    let patience = launcher === "" ? 5 * beatMs : 0;
    if (isAlive(Number.parseInt(started, 10))) patience = orphanMs;
    if (isAlive(Number.parseInt(launcher, 10))) patience = silentMs;
    return { isAlive: silentFor < patience, name: launcher };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Creates the file unless it exists; false where it does.
 * @param {string} file
 * @param {string} text
 */
function create(file, text) {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a lock whose holder is dead. Only one process at a time may do so, and it looks again before it does, so that
 * nobody removes the lock which another has taken meanwhile.
 * @param {string} file
 */
function removeDead(file) {
  const claim = `${file}.claim`;
  if (!create(claim, "")) {
    if (Date.now() - (statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > silentMs)
      rmSync(claim, { force: true });
    return;
  }
  try {
    if (holder(file)?.isAlive === false) rmSync(file, { force: true });
  } finally {
    rmSync(claim, { force: true });
  }
}

/**
 * Does the work while no other process holds the lock. Waits for a living holder, and says once whom it waits for;
 * takes over from a dead one.
 * @template T
 * @param {string} file
 * @param {{ work: () => Promise<T>, say: (line: string) => void, pollMs?: number }} options
 * @returns {Promise<T>}
 */
export async function withLock(file, { work, say, pollMs = 250 }) {
  mkdirSync(dirname(file), { recursive: true });
  const text = () => `${process.pid} (${process.argv.slice(2).join(" ")})\n${runningPid() ?? ""}\n`;
  let told = false;
  while (!create(file, text())) {
    stopIfInterrupted();
    const other = holder(file);
    if (other?.isAlive === false) {
      removeDead(file);
    } else if (other) {
      if (!told) say(`Waiting for process ${other.name}, which is preparing the same folder (${file})`);
      told = true;
    }
    await sleep(pollMs);
  }
  const beat = setInterval(() => writeFileSync(file, text()), beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(file, { force: true });
  }
}

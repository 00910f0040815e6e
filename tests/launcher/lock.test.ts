import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withLock } from "#scripts/launcher/lock.mjs";

let folder: string;
let file: string;
let said: string[];
const say = (line: string) => said.push(line);
const take = (work = () => Promise.resolve("done")) => withLock(file, { work, say, pollMs: 5 });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deskboard-lock-"));
  file = join(folder, "deeper", "lock");
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The id of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;

test("the work is done under the lock, which is gone afterwards, also when the work failed", async () => {
  expect(await take(() => Promise.resolve(readFileSync(file, "utf8")))).toMatch(new RegExp(`^${process.pid} `));
  expect(existsSync(file)).toBe(false);
  await expect(take(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(existsSync(file)).toBe(false);
});

test("of twenty that want it, one works at a time", async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await Promise.resolve();
    inside -= 1;
    return "done";
  };
  await Promise.all(Array.from({ length: 20 }, () => take(work)));
  expect(most).toBe(1);
});

test("a living holder is waited for, and named once", async () => {
  const other = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  await take();
  writeFileSync(file, `${other.pid} (start)\n\n`);
  const waiting = take();
  await expect.poll(() => said).toEqual([expect.stringContaining(`Waiting for process ${other.pid} (start)`)]);
  rmSync(file);
  expect(await waiting).toBe("done");
  expect(said).toHaveLength(1);
  other.stdin.end();
});

test("a dead holder's lock is taken over, by all that wait, one after another", async () => {
  await take();
  writeFileSync(file, `${deadPid()} (start)\n\n`);
  expect(await Promise.all([take(), take(), take()])).toEqual(["done", "done", "done"]);
});

test("what a dead holder had started is waited for", async () => {
  const orphan = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  await take();
  writeFileSync(file, `${deadPid()} (start)\n${orphan.pid}\n`);
  const waiting = take();
  await expect.poll(() => said).toHaveLength(1);
  orphan.stdin.end();
  expect(await waiting).toBe("done");
});

test("a holder that has been silent for minutes is another process by now", async () => {
  await take();
  writeFileSync(file, `${process.ppid} (start)\n\n`);
  const longAgo = new Date(Date.now() - 120_000);
  utimesSync(file, longAgo, longAgo);
  expect(await take()).toBe("done");
});

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import { doActs, deskBody } from "./crash-acts.ts";
import { CrashPoints } from "./crash-points.ts";
import type { Act, Life, LifeOrder, Report } from "./crash-script.ts";
import { readRecord, type RecordRows } from "./crash-record.ts";
import { readWitness, type WitnessLine } from "./crash-witness.ts";
import { crashSettings, startWorld } from "./crash-world.ts";
import { keptLog, sha256 } from "./record.ts";

const root = resolve(import.meta.dirname, "../..");

/** What the outside saw of all lives, and what is in the record and in the world at the end. */
export interface Aftermath {
  /** By life, oldest first; the last one was not killed. */
  seen: Report[][];
  witness: WitnessLine[];
  rows: RecordRows;
  /** What the audit found, and what the last life logged as an error. */
  complaints: string[];
}

/** The arguments of `place_order` that the rule of the suite allows; every other order is held. */
export const allowedOrder = '{"quantity":"1000","reduceOnly":false,"side":"buy","symbol":"EURUSD"}';

/** Everything that this process makes, in one folder that `removeCrashFolders` removes. */
let base: string | undefined;
/** A folder with an active desk and a rule, made once and copied for each test. */
let template: Promise<string> | undefined;

function baseFolder(): string {
  base ??= mkdtempSync(join(tmpdir(), "deskboard-crash-"));
  return base;
}

/** Removes all folders of this process. */
export async function removeCrashFolders(): Promise<void> {
  if (base !== undefined) await rm(base, { recursive: true, force: true });
  base = undefined;
  template = undefined;
}

/** A new folder without any data. */
export function emptyCrashFolder(): Promise<string> {
  return mkdtemp(join(baseFolder(), "life-"));
}

// By a child, whose orderly end also leaves the compiled modules for those that are killed.
async function makeTemplate(): Promise<string> {
  const folder = await emptyCrashFolder();
  const acts = [
    { do: "createDesk", name: deskBody.name },
    { do: "allow", arguments: allowedOrder },
  ] as const;
  const { code, errors } = await startLife({ folder, acts, kill: null }).ended;
  if (code !== 0) throw new Error(`the desk of the suite could not be made:\n${errors}`);
  return folder;
}

/** What is left of processes that were killed. */
export interface Remains {
  folder: string;
  seen: Report[][];
}

/** Lets processes live and be killed one after another, on a record that has the desk and the rule. */
export async function killed(...lives: readonly Life[]): Promise<Remains> {
  template ??= makeTemplate();
  return killedOn({ folder: await template, seen: [] }, ...lives);
}

/** The same on a copy of what others left. */
export async function killedOn(remains: Remains, ...lives: readonly Life[]): Promise<Remains> {
  const { folder, seen } = await copied(remains);
  for (const life of lives) seen.push(await livedAndKilled({ ...life, folder }));
  return { folder, seen };
}

/** The same remains once more, to start on them in another way. */
export async function copied({ folder, seen }: Remains): Promise<Remains> {
  const copy = await emptyCrashFolder();
  await cp(folder, copy, { recursive: true });
  return { folder: copy, seen: [...seen] };
}

/** Starts once more on what is left, rests, does the acts, rests, stops, and looks. */
export async function liveOn(remains: Remains, acts: readonly Act[], aheadMs: number): Promise<Aftermath> {
  const { folder, seen } = remains;
  const reports: Report[] = [];
  const log = keptLog();
  const tell = async (report: Report) => void reports.push(report);
  const world = await startWorld({ folder, aheadMs, points: new CrashPoints(), tell, log });
  await doActs([{ do: "rest" }, ...acts, { do: "rest" }], world);
  const rows = await readRecord(world.runtime.store);
  await world.runtime.stop();
  const { dataDir, databaseUrl, anchorKey } = crashSettings(folder);
  const { findings } = await auditRecord({ dataDir, databaseUrl, anchorKey, digest: sha256 });
  const errors = log.lines.filter(({ level }) => level === "error");
  const complaints = [
    ...findings.map((finding) => `audit: ${JSON.stringify(finding)}`),
    ...errors.map(({ message, fields }) => `log: ${message} ${JSON.stringify(fields)}`),
  ];
  return { seen: [...seen, reports], witness: readWitness(folder), rows, complaints };
}

async function livedAndKilled(order: LifeOrder): Promise<Report[]> {
  const life = startLife(order);
  const { signal, errors } = await life.ended;
  if (signal === "SIGKILL") return life.reports;
  const told = life.reports.map((report) => JSON.stringify(report)).join("\n");
  throw new Error(`the process did not come to ${order.kill}:\n${told}\n${errors}`);
}

/** A process of the suite. */
export interface StartedLife {
  process: ChildProcess;
  /** What it has told so far. */
  reports: Report[];
  /** Resolves with the first report of this kind, or with null where the process ended before. */
  told(kind: Report["report"]): Promise<Report | null>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>;
}

/** Starts a process of the suite. */
export function startLife(order: LifeOrder): StartedLife {
  // Most of a life of a moment would be compiling.
  const flags = ["--liftoff-only", "--wasm-lazy-validation"];
  const child = spawn(process.execPath, [...flags, "tests/support/crash-child.ts", JSON.stringify(order)], {
    cwd: root,
    // Nothing of the settings of whoever runs the tests.
    env: { PATH: process.env["PATH"], NODE_ENV: "production", NODE_COMPILE_CACHE: join(baseFolder(), "compiled") },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const reports: Report[] = [];
  const waiting: { kind: Report["report"]; resolve: (report: Report | null) => void }[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    const report = JSON.parse(line) as Report;
    reports.push(report);
    for (const { kind, resolve: tell } of waiting) if (report.report === kind) tell(report);
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const linesRead = new Promise((done) => lines.once("close", done));
  const closed = new Promise<[number | null, NodeJS.Signals | null]>((done) => {
    child.once("close", (code, signal) => done([code, signal]));
  });
  const ended = Promise.all([closed, linesRead]).then(([[code, signal]]) => {
    for (const { resolve: tell } of waiting) tell(null);
    return { code, signal, errors };
  });
  return {
    process: child,
    reports,
    told(kind) {
      const known = reports.find((report) => report.report === kind);
      if (known) return Promise.resolve(known);
      return new Promise((tell) => void waiting.push({ kind, resolve: tell }));
    },
    ended,
  };
}

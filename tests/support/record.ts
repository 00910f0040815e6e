import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "#lib/core/ports/clock.ts";
import type { Digest } from "#lib/core/ports/digest.ts";
import type { Log } from "#lib/core/ports/log.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { openRecord, type OpenRecord, type RecordOptions } from "#lib/db/open-record.ts";

/** The digest that the program uses. */
export const sha256: Digest = (text) => createHash("sha256").update(text).digest("hex");

/** The real clock. */
export const realClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** A log that keeps its lines. */
export function keptLog(): Log & { lines: { level: string; fields: object; message: string }[] } {
  const lines: { level: string; fields: object; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
}

export interface TestRecord extends OpenRecord {
  /** The folder with all that lasts. */
  dataDir: string;
  /** What was published, in order. */
  published: DeskEvent[];
  log: ReturnType<typeof keptLog>;
  /** Closes it and opens it again on the same folder. */
  reopen(changes?: Partial<RecordOptions>): Promise<TestRecord>;
  /** Closes it and removes its folder. */
  remove(): Promise<void>;
}

// Migrated once a process and copied for each test.
let migratedFolder: Promise<string> | undefined;

async function makeMigratedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "deskboard-base-"));
  process.once("exit", () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const clock = realClock;
  const record = await openRecord({ dataDir: folder, clock, digest: sha256, log: keptLog(), publish: () => {} });
  await record.close();
  return folder;
}

/** A new folder with an empty, migrated record that nobody has open. */
export async function newDataDir(): Promise<string> {
  migratedFolder ??= makeMigratedFolder();
  const dataDir = await mkdtemp(join(tmpdir(), "deskboard-test-"));
  await cp(await migratedFolder, dataDir, { recursive: true });
  return dataDir;
}

/** A real, empty record in a temporary folder (or in the given one), by default on the real clock. */
export async function openTestRecord(options: Partial<RecordOptions> = {}): Promise<TestRecord> {
  const dataDir = options.dataDir ?? (await newDataDir());
  const published: DeskEvent[] = [];
  const log = keptLog();
  const record = await openRecord({
    clock: realClock,
    digest: sha256,
    log,
    publish: (events) => {
      published.push(...events);
    },
    ...options,
    dataDir,
  });
  return {
    ...record,
    dataDir,
    published,
    log,
    async reopen(changes = {}) {
      await record.close();
      return await openTestRecord({ ...options, ...changes, dataDir });
    },
    async remove() {
      await record.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

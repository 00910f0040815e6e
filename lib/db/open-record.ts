import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isoNow, type Clock } from "#lib/core/ports/clock.ts";
import type { Digest } from "#lib/core/ports/digest.ts";
import type { Log } from "#lib/core/ports/log.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { Unit } from "#lib/core/ports/unit.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { anchorKey } from "./anchor-key.ts";
import { Anchors, verifyLastAnchor } from "./anchors.ts";
import { ChainHeads } from "./chain-heads.ts";
import { takeOwnership } from "./ownership.ts";
import { readHeadAt, readHeads } from "./read-events.ts";
import { recordFailure } from "./record-failure.ts";
import { recordLocation } from "./record-location.ts";
import { PolicyCache, recordReads } from "./record-reads.ts";
import { connectClient } from "./sqlite/connection.ts";
import { applyMigrations } from "./sqlite/migrations.ts";
import { Writer } from "./writer.ts";

export interface RecordOptions {
  /** The folder of everything that must last; made where it is missing. */
  dataDir: string;
  /** `file:…`; by default a file in `dataDir`. */
  databaseUrl?: string | undefined;
  /** The anchors' key; by default that of a file in `dataDir`. */
  anchorKey?: string | null | undefined;
  clock: Clock;
  digest: Digest;
  log: Log;
  /** Called with the events of each unit, after they are on disk, in order, before `commit` gives its result. */
  publish: (events: readonly DeskEvent[]) => void;
}

/** The record of a data folder that this process owns. */
export interface OpenRecord {
  store: Store;
  /** Writes the heads to the anchor's file now, where they changed. It happens every minute and at the end anyway. */
  writeAnchor(): Promise<void>;
  /** The same as `store.close()`: waits for what is being written, writes the anchor, lets go of everything. */
  close(): Promise<void>;
}

/**
 * Owns the data, migrates, verifies the last anchor, and opens the record: in this order.
 * @throws AppError that says why the start has to stop: another owner, a database that cannot keep what it confirms, or a
 *   record that does not fit its last anchor.
 */
export async function openRecord(options: RecordOptions): Promise<OpenRecord> {
  const undo: (() => void | Promise<void>)[] = [];
  try {
    return await open(options, undo);
  } catch (error) {
    await runAll(undo);
    throw recordFailure(error);
  }
}

async function open(options: RecordOptions, undo: (() => void | Promise<void>)[]): Promise<OpenRecord> {
  const { clock, digest, log, publish } = options;
  const dataDir = resolve(options.dataDir);
  const file = recordLocation(dataDir, options.databaseUrl);
  for (const folder of new Set([dataDir, dirname(file)])) {
    await mkdir(folder, { recursive: true });
    const ownership = takeOwnership(folder, isoNow(clock));
    undo.push(() => ownership.release());
  }

  const migrated = await applyMigrations(file);
  if (migrated.length > 0) log.info({ migrations: migrated }, "the database was migrated");

  const writing = await connectClient(file, "write");
  undo.push(() => writing.$disconnect());
  const reading = await connectClient(file, "read");
  let isClosed = false;
  undo.push(() => {
    isClosed = true;
    return reading.$disconnect();
  });

  const heads = new ChainHeads(await readHeads(writing));
  const key = await anchorKey(dataDir, options.anchorKey);
  await verifyLastAnchor(dataDir, key, heads.position === 0, (position) => readHeadAt(writing, position));
  const anchors = new Anchors({ dataDir, key, heads, clock, log });
  await anchors.start();
  undo.push(() => anchors.stop());

  const policy = new PolicyCache(reading);
  const committed = (units: readonly Unit[]) => {
    if (units.some((unit) => unit.changes.some(changesRules))) policy.forget();
  };
  const writer = new Writer({ client: writing, heads, clock, digest, log, publish, committed });
  undo.push(() => writer.close());

  let closing: Promise<void> | undefined;
  const close = async () => await (closing ??= runAll(undo));
  const store: Store = {
    ...recordReads(reading, policy, () => isClosed),
    commit: (unit) => writer.commit(unit),
    close,
  };
  return { store, writeAnchor: () => anchors.write(), close };
}

function changesRules(change: object): boolean {
  return "bump" in change || "delete" in change || ("insert" in change && change.insert === "rule");
}

/** Undoes in reverse; what fails does not keep the rest from being undone. */
async function runAll(undo: (() => void | Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of undo.toReversed()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

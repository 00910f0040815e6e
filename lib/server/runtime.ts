import { createHash } from "node:crypto";
import packageJson from "#package.json" with { type: "json" };
import type { CoreDeps } from "#lib/core/deps.ts";
import { DeskTriggers } from "#lib/core/desk-triggers.ts";
import { Desks } from "#lib/core/desks.ts";
import { EventBus } from "#lib/core/event-bus.ts";
import { LiveDesks } from "#lib/core/live-desks.ts";
import { ModelRouter } from "#lib/core/model-router.ts";
import type { Backend } from "#lib/core/ports/backend.ts";
import type { Clock } from "#lib/core/ports/clock.ts";
import type { Log } from "#lib/core/ports/log.ts";
import type { Store } from "#lib/core/ports/store.ts";
import { recoverRecord, resumeApproved } from "#lib/core/recovery.ts";
import type { Toolset } from "#lib/core/tool.ts";
import { UserRequests } from "#lib/core/user-requests.ts";
import { openRecord } from "#lib/db/open-record.ts";
import { makeDemoDesk } from "./demo-desk.ts";
import type { Settings } from "./env.ts";
import { RecordHeads } from "./record-heads.ts";
import { recordIds } from "./record-ids.ts";
import { repeating } from "./repeating.ts";
import type { RuntimeHandle } from "./runtime-handle.ts";
import { runtimeServices } from "./runtime-services.ts";
import { runtimeBackends, runtimeToolsets } from "./runtime-parts.ts";
import { Schedules } from "./schedules.ts";
import { systemClock } from "./system-clock.ts";
import { watchedStore, type RecordHealth } from "./watched-store.ts";

/** The running process: what the doors see of it, and its end. */
export interface Runtime extends RuntimeHandle {
  readonly store: Store;
  readonly bus: EventBus;
  readonly heads: RecordHeads;
  readonly clock: Clock;
  /** Ends it gracefully: the tools that run finish and are recorded; the rest is left to the next start's recovery. */
  stop(): Promise<void>;
}

/** What a test may put in another's place: by its port, never by patching a module. */
export interface RuntimeParts {
  clock?: Clock;
  /** Wraps the store, such as to end the process at a named unit. */
  store?: (store: Store) => Store;
  toolsets?: (standard: ReadonlyMap<string, Toolset>) => ReadonlyMap<string, Toolset>;
  backends?: (standard: ReadonlyMap<string, Backend>) => ReadonlyMap<string, Backend>;
}

const sweepMs = 1_000;
const daysMs = 24 * 60 * 60 * 1000;

/**
 * Builds and starts everything: owns the data, migrates, recovers what an earlier process left, then lets the desks run.
 * @throws AppError or StartError that says why it cannot.
 */
export async function startRuntime(settings: Settings, log: Log, parts: RuntimeParts = {}): Promise<Runtime> {
  const clock = parts.clock ?? systemClock;
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  const bus = new EventBus(log);
  const record = await openRecord({
    dataDir: settings.dataDir,
    databaseUrl: settings.databaseUrl,
    anchorKey: settings.anchorKey,
    clock,
    digest,
    log,
    publish: (events) => bus.publish(events),
  });
  try {
    const heads = await RecordHeads.follow(record.store, bus);
    const health: RecordHealth = { failure: null };
    const store = watchedStore(parts.store?.(record.store) ?? record.store, health);
    const ids = recordIds(clock, await store.highestRequestNumber());
    const waits = { holdMs: settings.holdMinutes * 60_000, questionMs: daysMs };
    const deps: CoreDeps = { store, clock, ids, digest, log, waits };
    const standard = runtimeBackends(settings);
    const backends = parts.backends?.(standard) ?? standard;
    const toolsets = await runtimeToolsets(deps, settings);
    const live = new LiveDesks(parts.toolsets?.(toolsets) ?? toolsets, new ModelRouter(backends, deps), bus, deps);
    const desks = new Desks(live, () => [...backends.keys()], deps);
    const triggers = new DeskTriggers(deps);
    const requests = new UserRequests((name) => live.find(name)?.executor, deps);

    for (const desk of await store.desks()) live.open(desk);
    const recovered = await recoverRecord(live, deps);
    await requests.expireDue();
    const approved = await resumeApproved(live, deps);
    log.info({ ...recovered, approved }, "recovered");
    if (settings.demo) await makeDemoDesk(desks, store);
    for (const { runner } of live.all()) runner.wake();

    const schedules = new Schedules(backends, store, triggers, clock);
    const onError = (error: unknown) => log.error({ err: error }, "periodic work failed");
    const ends = [
      repeating(clock, sweepMs, () => requests.expireDue(), onError),
      repeating(clock, sweepMs, () => schedules.queueDue(), onError),
    ];
    const services = runtimeServices({
      deps,
      heads,
      live,
      desks,
      triggers,
      requests,
      version: packageJson.version,
      database: "sqlite",
      recordFailure: () => health.failure,
    });
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      for (const end of ends) end();
      await live.close();
      await record.close();
    };
    return {
      services,
      settings,
      log,
      store,
      bus,
      heads,
      clock,
      recordFailure: () => health.failure,
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    await record.close();
    throw error;
  }
}

import { join } from "node:path";
import { z } from "zod";
import type { Log } from "#lib/core/ports/log.ts";
import type { Store } from "#lib/core/ports/store.ts";
import { defineTool, done, type Toolset } from "#lib/core/tool.ts";
import { readSettings } from "#lib/server/env.ts";
import { startRuntime, type Runtime } from "#lib/server/runtime.ts";
import { linesBackend } from "./crash-backend.ts";
import { crashingStore, type CrashPoints } from "./crash-points.ts";
import type { Tell } from "./crash-script.ts";
import { witnessedTool } from "./crash-witness.ts";
import { realClock } from "./record.ts";

/** The real runtime in this process, with points around its ports. */
export interface World {
  runtime: Runtime;
  points: CrashPoints;
  tell: Tell;
  /** Puts the process's clock ahead by so much more. */
  later(ms: number): void;
  /** Lets the hung work of `wire_funds` go on. */
  release(): void;
}

export interface WorldOptions {
  folder: string;
  aheadMs: number;
  points: CrashPoints;
  tell: Tell;
  log: Log;
}

/**
 * Starts the real runtime on `data` in the folder: real record, paper account, market, `ask_user` and notes, and beside
 * them `wire_funds`, a write that hangs beyond its time-out.
 */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { folder, points, tell } = options;
  let aheadMs = options.aheadMs;
  const released = Promise.withResolvers<void>();
  const wires: Toolset = { name: "wires", tools: [wireFunds(released.promise)] };
  const runtime = await startRuntime(crashSettings(folder), options.log, {
    clock: { ...realClock, now: () => Date.now() + aheadMs },
    store: (store) => crashingStore(tellingStore(store, tell), points),
    toolsets: (standard) =>
      new Map(
        [...standard.values(), wires].map(({ name, tools }) => [
          name,
          { name, tools: tools.map((tool) => witnessedTool(tool, folder, points)) },
        ]),
      ),
    backends: () => new Map(["first", "second"].map((name) => [name, linesBackend(name, points, tell)])),
  });
  return { runtime, points, tell, later: (ms) => void (aheadMs += ms), release: () => released.resolve() };
}

/** The settings of each process on that folder. */
export function crashSettings(folder: string) {
  return readSettings({ DATA_DIR: join(folder, "data"), DESKBOARD_DEMO: "0", LOG_LEVEL: "silent" });
}

/** Whatever was published was seen: it stands in the record for good. */
function tellingStore(store: Store, tell: Tell): Store {
  return {
    ...store,
    async commit(unit) {
      const result = await store.commit(unit);
      if (result.committed && result.events.length > 0) {
        const events = result.events.map(({ position, hash }) => ({ position, hash }));
        await tell({ report: "published", events });
      }
      return result;
    },
  };
}

function wireFunds(released: Promise<void>) {
  return defineTool({
    name: "wire_funds",
    description: "Hangs until it is released, and then does its work.",
    effect: "write",
    defaultVerdict: "allow",
    timeoutMs: 1,
    parameters: z.strictObject({}),
    async run() {
      await released;
      return done("Wired.");
    },
  });
}

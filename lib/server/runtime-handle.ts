import type { Log } from "#lib/core/ports/log.ts";
import type { Services } from "./services.ts";
import type { Settings } from "./env.ts";

/** What handlers and pages find of the running process. They never build one. */
export interface RuntimeHandle {
  readonly services: Services;
  readonly settings: Settings;
  readonly log: Log;
  /** Why the record cannot be written; null while it can. */
  recordFailure(): string | null;
}

const key = Symbol.for("deskboard.runtime");
type Holder = { [key]?: RuntimeHandle };

/** Puts the runtime where every copy of the modules finds it. */
export function publishRuntime(runtime: RuntimeHandle | null): void {
  const holder = globalThis as Holder;
  if (runtime === null) delete holder[key];
  else holder[key] = runtime;
}

/**
 * The runtime of this process.
 * @throws Error where the server has not started it.
 */
export function getRuntime(): RuntimeHandle {
  const runtime = (globalThis as Holder)[key];
  if (!runtime) throw new Error("the runtime is not started: pages are served by server.ts, not by Next alone");
  return runtime;
}

import type { Clock } from "./ports/clock.ts";
import type { Digest } from "./ports/digest.ts";
import type { Ids } from "./ports/ids.ts";
import type { Log } from "./ports/log.ts";
import type { Store } from "./ports/store.ts";

/** How long requests wait for a person, in milliseconds. */
export interface Waits {
  holdMs: number;
  questionMs: number;
}

/** What the domain needs from outside. */
export interface CoreDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  digest: Digest;
  log: Log;
  waits: Waits;
}

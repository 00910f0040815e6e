import type { Clock } from "#lib/core/ports/clock.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";

/** A store to test, empty, with what it published. */
export interface StoreUnderTest {
  store: Store;
  published: DeskEvent[];
  log: { lines: { level: string; message: string }[] };
  /** Closes it and opens the same record again. */
  reopen(): Promise<StoreUnderTest>;
  remove(): Promise<void>;
}

/** Opens a new, empty store. Whatever database it stands on, the suite is the same. */
export type OpenStore = (options: {
  clock?: Clock;
  publish?: (events: readonly DeskEvent[]) => void;
}) => Promise<StoreUnderTest>;

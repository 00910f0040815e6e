import type { Store } from "#lib/core/ports/store.ts";

/** Whether the record could be written, as its newest commit found it. */
export interface RecordHealth {
  failure: string | null;
}

/** The same store, which notes in `health` whether its newest commit could be written. */
export function watchedStore(store: Store, health: RecordHealth): Store {
  return {
    ...store,
    async commit(unit) {
      try {
        const result = await store.commit(unit);
        health.failure = null;
        return result;
      } catch (error) {
        health.failure = error instanceof Error ? error.message : "the record cannot be written";
        throw error;
      }
    },
  };
}

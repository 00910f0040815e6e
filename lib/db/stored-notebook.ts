import type { Notebook } from "#lib/core/ports/notebook.ts";
import type { Store } from "#lib/core/ports/store.ts";

/** The desks' notes in the record. */
export function storedNotebook(store: Store): Notebook {
  return {
    async add(note) {
      await store.commit({ name: "note", when: [], changes: [{ insert: "note", row: note }], events: [] });
    },
    newest: (deskName, limit) => store.notes(deskName, limit),
  };
}

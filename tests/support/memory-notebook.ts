import type { Notebook } from "#lib/core/ports/notebook.ts";
import type { NoteRow } from "#lib/core/record.ts";

/** A notebook without a database. */
export class MemoryNotebook implements Notebook {
  readonly #notes: NoteRow[] = [];

  async add(note: NoteRow): Promise<void> {
    this.#notes.push(note);
  }

  async newest(deskName: string, limit: number): Promise<NoteRow[]> {
    return this.#notes
      .filter((note) => note.deskName === deskName)
      .toReversed()
      .slice(0, limit);
  }
}

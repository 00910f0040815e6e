import type { NoteRow } from "#lib/core/record.ts";

/** Where a desk keeps its notes. */
export interface Notebook {
  add(note: NoteRow): Promise<void>;
  /** Newest first. */
  newest(deskName: string, limit: number): Promise<NoteRow[]>;
}

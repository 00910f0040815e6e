import { join } from "node:path";
import Database from "better-sqlite3";

/** Every event of a data folder as it is stored, in order, read by nothing of ours. */
export function storedEvents(folder: string): unknown[] {
  const database = new Database(join(folder, "deskboard.db"), { readonly: true });
  try {
    return database.prepare('SELECT * FROM "Event" ORDER BY "position"').all();
  } finally {
    database.close();
  }
}

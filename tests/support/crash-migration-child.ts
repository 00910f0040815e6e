// Migrates a database file with the migrations of a folder, and ends itself as `kill -9` does before the statement of that
// number. Without one it tells how many there were. The driver is wrapped here, in a process that does nothing else.
import { writeSync } from "node:fs";
import Database from "better-sqlite3";
import { applyMigrations } from "#lib/db/sqlite/migrations.ts";

const [file = "", folder = "", killAt = "0"] = process.argv.slice(2);
let count = 0;
for (const method of ["prepare", "exec"] as const) {
  const original = Database.prototype[method] as (this: unknown, sql: string) => never;
  Object.defineProperty(Database.prototype, method, {
    value(this: unknown, sql: string) {
      count += 1;
      if (count === Number(killAt)) process.kill(process.pid, "SIGKILL");
      return original.call(this, sql);
    },
  });
}
await applyMigrations(file, folder);
writeSync(1, `${count}\n`);

import { copyFile, readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MigrationDirectory, MigrationList } from "@prisma/schema-engine-wasm/schema_engine_bg";
import Database from "better-sqlite3";
import { putInPlace } from "#lib/db/write-atomically.ts";
import { withSchemaEngine } from "./schema-engine.ts";

/** Where the checked-in migrations for SQLite are. */
export const migrationsFolder = fileURLToPath(new URL("../../../prisma/migrations/sqlite", import.meta.url));

/** The checked-in migrations, oldest first, in the form that the engine wants. */
export async function readMigrations(folder = migrationsFolder): Promise<MigrationList> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrationDirectories: MigrationDirectory[] = [];
  for (const name of names.toSorted()) {
    const content = await readFile(join(folder, name, "migration.sql"), "utf8");
    migrationDirectories.push({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: content } },
    });
  }
  const lockfile = {
    path: "migration_lock.toml",
    content: await readFile(join(folder, "migration_lock.toml"), "utf8"),
  };
  return { baseDir: folder, lockfile, shadowDbInitScript: "", migrationDirectories };
}

/**
 * Applies what is missing, in Prisma's own bookkeeping (`prisma migrate deploy` does the same), and gives the names of
 * what was applied. The caller owns the data. A migration is no transaction, and one that was cut short would have to be
 * repaired by hand: so it is done on a copy, which takes the database's place when it is whole and on disk.
 */
export async function applyMigrations(file: string, folder = migrationsFolder): Promise<string[]> {
  const migrationsList = await readMigrations(folder);
  const applied = appliedMigrations(file);
  if (migrationsList.migrationDirectories.every(({ path }) => applied.has(path))) return [];
  const copy = `${file}.migrating`;
  for (const part of ["", "-journal", "-wal", "-shm"]) await rm(`${copy}${part}`, { force: true });
  foldLog(file);
  await copyFile(file, copy);
  const names = await withSchemaEngine(copy, async (engine) => {
    const filters = { externalTables: [], externalEnums: [] };
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
    return appliedMigrationNames;
  });
  await putInPlace(copy, file);
  return names;
}

function appliedMigrations(file: string): ReadonlySet<string> {
  const database = new Database(file);
  try {
    const isKept =
      database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'").get() !== undefined;
    const names = "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL";
    return new Set(isKept ? (database.prepare(names).pluck().all() as string[]) : []);
  } finally {
    database.close();
  }
}

/** Leaves all of the database in its one file. It fails where anyone else has it open. */
function foldLog(file: string): void {
  const database = new Database(file);
  try {
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
}

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MigrationDirectory, MigrationList } from "@prisma/schema-engine-wasm/schema_engine_bg";
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
 * what was applied. The caller owns the data.
 */
export async function applyMigrations(file: string): Promise<string[]> {
  const migrationsList = await readMigrations();
  return await withSchemaEngine(file, async (engine) => {
    const filters = { externalTables: [], externalEnums: [] };
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
    return appliedMigrationNames;
  });
}

// Writes the next migration from what prisma/schema.prisma has and the migrations do not: `node scripts/make-migration.ts
// <name>`. Needs no database and no download. Read the SQL before you commit it.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations, migrationsFolder } from "#lib/db/sqlite/migrations.ts";
import { withSchemaEngine } from "#lib/db/sqlite/schema-engine.ts";

const name = process.argv[2];
if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
  throw new Error("Give the migration a name of lower-case letters, digits and underscores.");
}
const schemaPath = "prisma/schema.prisma";
const files = [{ path: schemaPath, content: await readFile(schemaPath, "utf8") }];

// What the migrations make is read from a database that they made.
const temporary = await mkdtemp(join(tmpdir(), "deskboard-migration-"));
const database = join(temporary, "migrated.db");
await applyMigrations(database);
const diff = await withSchemaEngine(database, async (engine) =>
  engine.diff({
    from: { tag: "schemaDatasource", files, configDir: "." },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  }),
);
await rm(temporary, { recursive: true });

if (diff.exitCode === 0) {
  process.stdout.write("The migrations already make this schema.\n");
} else {
  const stamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const folder = join(migrationsFolder, `${stamp}_${name}`);
  await mkdir(folder);
  await writeFile(join(folder, "migration.sql"), diff.stdout ?? "");
  process.stdout.write(`Wrote ${folder}/migration.sql\n`);
}

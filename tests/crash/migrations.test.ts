import { spawn } from "node:child_process";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { applyMigrations, migrationsFolder } from "#lib/db/sqlite/migrations.ts";
import { emptyCrashFolder } from "#tests/support/crash-run.ts";
import { lazily, sideBySide } from "#tests/support/crash-survival.ts";

const root = resolve(import.meta.dirname, "../..");
const later = "29990101000000_later";

/** Our migrations with one more, and a database that has ours and a row. */
const beginning = lazily(async () => {
  const folder = await emptyCrashFolder();
  const migrations = join(folder, "migrations");
  await cp(migrationsFolder, migrations, { recursive: true });
  await applyMigrations(join(folder, "old.db"), migrations);
  const database = new Database(join(folder, "old.db"));
  database.pragma("journal_mode = WAL");
  database.exec("INSERT INTO Note (id, deskName, text, at) VALUES ('n1', 'majors', 'Kept.', 'now')");
  database.close();
  await mkdir(join(migrations, later));
  await writeFile(join(migrations, later, "migration.sql"), "CREATE TABLE One (x TEXT); CREATE TABLE Two (x TEXT);");
  return { folder, migrations };
});

async function migrate(file: string, killAt: number): Promise<{ signal: NodeJS.Signals | null; told: string }> {
  const { migrations } = await beginning();
  const args = ["tests/support/crash-migration-child.ts", file, migrations, String(killAt)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (told += text));
  return new Promise((done) => void child.once("close", (_code, signal) => done({ signal, told })));
}

describe("a migration, killed before any of its statements", sideBySide, () => {
  it.each(["no database", "an older database"])("P6, D2: of %s: is made whole by the next start", async (given) => {
    const { folder, migrations } = await beginning();
    const isOlder = given === "an older database";
    for (let killAt = 1, isOver = false; !isOver; killAt += 1) {
      const data = await emptyCrashFolder();
      const file = join(data, "deskboard.db");
      if (isOlder) await cp(join(folder, "old.db"), file);
      isOver = (await migrate(file, killAt)).signal === null;
      await applyMigrations(file, migrations);
      expect((await readdir(data)).toSorted(), `killed at ${killAt}`).toEqual(["deskboard.db"]);
      const database = new Database(file);
      const names = database
        .prepare("SELECT migration_name FROM _prisma_migrations WHERE finished_at > 0")
        .pluck()
        .all();
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE name IN ('Event', 'One', 'Two')").all();
      const notes = database.prepare("SELECT text FROM Note").pluck().all();
      database.close();
      expect(names.at(-1), `killed at ${killAt}`).toBe(later);
      expect(tables).toHaveLength(3);
      expect(notes).toEqual(isOlder ? ["Kept."] : []);
      expect(killAt).toBeLessThan(100);
    }
  });
});

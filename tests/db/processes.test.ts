import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import { newDataDir, openTestRecord, sha256 } from "#tests/support/record.ts";
import { startChild, type Child } from "#tests/support/start-child.ts";

const children: Child[] = [];
const folders: string[] = [];

function start(what: string, dataDir: string, args: string[] = [], options: { fileBlocks?: number } = {}): Child {
  const child = startChild("record-child.ts", [what, dataDir, ...args], options);
  children.push(child);
  return child;
}

async function folderOf(make: () => Promise<string>): Promise<string> {
  const folder = await make();
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill("SIGKILL");
    await child.ended;
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

function confirmed(child: Child): string[] {
  return child.lines.flatMap((line) => (line.startsWith("confirmed ") ? [line.slice("confirmed ".length)] : []));
}

/** What the record has of what was confirmed, and whether it passes the audit. */
async function expectAllThere(folder: string, ids: readonly string[]): Promise<void> {
  const record = await openTestRecord({ dataDir: folder });
  const stored = new Set((await record.store.notes("majors", 100_000)).map((note) => note.id));
  expect(ids.filter((id) => !stored.has(id))).toEqual([]);
  await record.close();
  const report = await auditRecord({ dataDir: folder, digest: sha256 });
  expect(report.findings).toEqual([]);
  expect(report.checked.events).toBe(stored.size);
}

describe("processes", () => {
  test("P6: D2: of three starts at once on an empty folder one owns the data, the others say who does and end", async () => {
    const folder = await folderOf(() => mkdtemp(join(tmpdir(), "deskboard-test-")));
    const starts = [start("hold", folder), start("hold", folder), start("hold", folder)];
    const first = await Promise.all(starts.map((child) => Promise.race([child.line("owner"), child.line("refused")])));
    const owner = starts[first.findIndex((line) => line.startsWith("owner"))];
    const refusals = first.filter((line) => line.startsWith("refused"));
    expect(refusals).toHaveLength(2);
    for (const refusal of refusals) expect(refusal).toContain(`process ${owner?.process.pid}`);
    const others = starts.filter((child) => child !== owner);
    expect(await Promise.all(others.map((child) => child.ended))).toEqual([1, 1]);
  });

  test("P6: D2: after kill -9 of its owner the next start has the data, and so after a graceful end", async () => {
    const folder = await folderOf(newDataDir);
    const killed = start("hold", folder);
    await killed.line("owner");
    killed.process.kill("SIGKILL");
    await killed.ended;
    const graceful = start("hold", folder);
    await graceful.line("owner");
    graceful.process.stdin?.end();
    expect(await graceful.ended).toBe(0);
    await expectAllThere(folder, []);
  });

  test.each([
    [1, 40],
    [20, 77],
    [50, 200],
  ])(
    "P6: D2: with %i callers, what was confirmed before a kill -9 in the middle of writes is there",
    async (callers, count) => {
      const folder = await folderOf(newDataDir);
      const child = start("write", folder, [`${callers}`]);
      await child.count("confirmed", count);
      child.process.kill("SIGKILL");
      await child.ended;
      expect(confirmed(child).length).toBeGreaterThanOrEqual(count);
      await expectAllThere(folder, confirmed(child));
    },
  );

  test("P6: a full disk rejects what it cannot keep with a code, and what was confirmed is there", async () => {
    const folder = await folderOf(newDataDir);
    const child = start("write", folder, ["4", "20000"], { fileBlocks: 6000 });
    expect(await child.line("failed")).toBe("failed record_unavailable");
    await child.line("closed");
    await child.ended;
    expect(confirmed(child).length).toBeGreaterThan(10);
    await expectAllThere(folder, confirmed(child));
  });
});

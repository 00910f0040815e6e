import { expect, test } from "vitest";
import { notesToolset } from "#lib/tools/notes.ts";
import { manualClock } from "#tests/support/manual-clock.ts";
import { MemoryNotebook } from "#tests/support/memory-notebook.ts";
import { inspecting, problemsOf, readFor, runTool, toolOf } from "#tests/support/run-tool.ts";

function newNotes() {
  const toolset = notesToolset({ notebook: new MemoryNotebook(), clock: manualClock("2026-10-01T09:00:00.000Z") });
  return { write: toolOf(toolset, "write_note"), read: toolOf(toolset, "read_notes") };
}

test("notes come back newest first, each desk its own", async () => {
  const { write, read } = newNotes();
  await runTool(write, { text: " one " }, { idempotencyKey: "k1" });
  await runTool(write, { text: "two" }, { idempotencyKey: "k2" });
  await runTool(write, { text: "of another" }, { idempotencyKey: "k3", deskName: "crypto" });
  expect(JSON.parse((await runTool(read, {})).text)).toEqual([
    { at: "2026-10-01T09:00:00.000Z", text: "two" },
    { at: "2026-10-01T09:00:00.000Z", text: "one" },
  ]);
  expect(JSON.parse((await runTool(read, { limit: 1 })).text)).toHaveLength(1);
});

test("P8: the same key writes one note, and a look-up finds it", async () => {
  const { write, read } = newNotes();
  expect(await write.lookUp?.("k1", inspecting())).toMatchObject({ found: false });
  await runTool(write, { text: "one" });
  expect(await runTool(write, { text: "one" })).toMatchObject({ outcome: "done" });
  expect(JSON.parse((await runTool(read, {})).text)).toHaveLength(1);
  expect(await write.lookUp?.("k1", inspecting())).toEqual({
    found: true,
    text: 'The note was written at 2026-10-01T09:00:00.000Z: "one"',
  });
});

test("writing notes is a write that is allowed by default", () => {
  expect(newNotes().write).toMatchObject({ effect: "write", defaultVerdict: "allow" });
  expect(newNotes().read).toMatchObject({ effect: "read" });
});

test("P14: a blank or too long note, and a wrong limit, are named", () => {
  const { write, read } = newNotes();
  expect(problemsOf(write, { text: " \n" })).toEqual(["text: must not be blank"]);
  expect(problemsOf(write, { text: "x".repeat(4_001) })).toEqual(["text: must be at most 4000 characters, has 4001"]);
  expect(problemsOf(read, { limit: 101 })).toEqual(["limit: must be at most 100"]);
  expect(problemsOf(read, { limit: 0 })).toEqual(["limit: must be at least 1"]);
  expect(readFor(read, {})).toEqual({ limit: 20 });
});

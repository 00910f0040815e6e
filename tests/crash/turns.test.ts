import { describe, expect, it } from "vitest";
import { killed } from "#tests/support/crash-run.ts";
import { expectEnd, lines, rest, send, sideBySide, type End, type Row } from "#tests/support/crash-survival.ts";

describe("a turn, killed", sideBySide, () => {
  const acts = [send(lines.read, lines.done), rest];
  const once: End = { turns: "message done 1", calls: "get_quote succeeded", requests: "", orders: 0 };
  const again: End = { ...once, turns: "message done 2" };
  const repeated: End = { ...again, calls: "get_quote succeeded, get_quote succeeded" };

  it.each<Row>([
    ["inside:turnStart#1", once],
    ["after:turnStart#1", again],
    ["inside:attemptStart#1", again],
    ["after:attemptStart#1", again],
    ["backend:start#1", again],
    ["before:turnEnd#1", repeated],
    ["after:turnEnd#1", once],
  ])("P6: at %s: runs to its end, once more if it had begun", async (kill, end) => {
    await expectEnd(await killed({ acts, kill }), end);
  });

  it("P6: three times: fails, and says so to its people", async () => {
    const kill = "backend:start#1";
    const remains = await killed({ acts, kill }, { acts: [rest], kill }, { acts: [rest], kill });
    const { rows } = await expectEnd(remains, { turns: "message failed 3", calls: "", requests: "", orders: 0 });
    expect(rows.triggers[0]?.endReason).toContain("interrupted 3 times");
    const words = rows.events.flatMap((event) => (event.kind === "message" ? [event.payload.text] : []));
    expect(words.at(-1)).toContain("This turn failed");
  });

  it("P6: three times, and once more while that is recorded: fails once", async () => {
    const kill = "backend:start#1";
    const lives = [
      { acts, kill },
      { acts: [rest], kill },
      { acts: [rest], kill },
    ];
    const remains = await killed(...lives, { acts: [rest], kill: "inside:recovery#1" });
    await expectEnd(remains, { turns: "message failed 3", calls: "", requests: "", orders: 0 });
  });
});

describe("a turn whose backend failed, killed", sideBySide, () => {
  const acts = [send(lines.allowed, "fail first", lines.allowed, lines.done), rest];
  const thrice: End = {
    turns: "message done 2",
    calls: "place_order succeeded, place_order refused, place_order refused, place_order refused",
    requests: "",
    orders: 1,
  };

  it.each<Row>([
    ["inside:attemptEnd#1", thrice],
    ["after:attemptEnd#1", thrice],
    ["inside:backendFailed#1", thrice],
    ["after:backendFailed#1", thrice],
    ["backend:start#2", thrice],
  ])("P6, P8: at %s: is handed over again, and the write is made once", async (kill, end) => {
    const { rows, seen } = await expectEnd(await killed({ acts, kill }), end);
    const attempts = rows.events.flatMap((event) => (event.kind === "backend_failed" ? [event.payload.attempt] : []));
    expect(new Set(attempts).size).toBe(attempts.length);
    const turns = seen.at(-1)?.filter((report) => report.report === "turn");
    expect(turns?.map((turn) => turn.completed.map((call) => call.name))).toEqual([["place_order"], ["place_order"]]);
  });
});

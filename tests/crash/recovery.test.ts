import { describe, expect, it } from "vitest";
import { emptyCrashFolder, killed, killedOn, startLife, type StartedLife } from "#tests/support/crash-run.ts";
import type { Life } from "#tests/support/crash-script.ts";
import { expectEnd, lazily, lines, rest, send, sideBySide, type End } from "#tests/support/crash-survival.ts";

describe("a recovery, killed", sideBySide, () => {
  const write = lazily(() => killed({ acts: [send(lines.allowed, lines.done), rest], kill: "after:paperOrder#1" }));
  const read: Life = { acts: [send(lines.read, lines.done), rest], kill: "start:get_quote#1" };
  const approved: Life = {
    acts: [send(lines.held, lines.done), rest, { do: "approve" }, rest],
    kill: "after:paperOrder#1",
  };
  const dies = (kill: string): Life => ({ acts: [rest], kill });

  const uncertain: End = {
    turns: "message done 2",
    calls: "place_order uncertain, place_order refused",
    requests: "uncertain pending",
    orders: 1,
  };

  it.each([
    ["before:recovery#1"],
    ["inside:recovery#1"],
    ["after:recovery#1"],
    ["before:recovery#2"],
    ["after:recovery#2"],
    ["inside:recovery#1", "inside:recovery#1", "inside:recovery#2"],
  ])("P3, P6: of a write at %s %s %s: there is one uncertain request, and the turn runs again", async (...kills) => {
    const { rows } = await expectEnd(await killedOn(await write(), ...kills.map(dies)), uncertain);
    expect(rows.requests[0]?.reason).toContain("interrupted by a restart");
  });

  it("P3, P6: of a read at after:recovery#1: it failed once", async () => {
    await expectEnd(await killed(read, dies("after:recovery#1")), {
      turns: "message done 2",
      calls: "get_quote failed, get_quote succeeded",
      requests: "",
      orders: 0,
    });
  });

  it.each(["inside:recovery#1", "after:recovery#1"])(
    "P3, P4, P6: of an approved call at %s: it is uncertain once, and the desk is told once",
    async (kill) => {
      await expectEnd(await killed(approved, dies(kill)), {
        turns: "message done 1, outcome done 1",
        calls: "place_order held, place_order uncertain",
        requests: "permission uncertain, uncertain pending",
        orders: 1,
      });
    },
  );
});

describe("two starts at once on an empty folder", sideBySide, () => {
  it("D2: one owns the data, the other says who does and ends; after a kill -9 the data is free", async () => {
    const folder = await emptyCrashFolder();
    const start = () => startLife({ folder, acts: [{ do: "stay" }], kill: null });
    const both = [start(), start()] as const;
    const started = await Promise.all(both.map((life) => life.told("started")));
    expect(started.filter((report) => report !== null)).toHaveLength(1);
    const owner = both[started[0] === null ? 1 : 0];
    const other = both[started[0] === null ? 0 : 1];
    expect(await other.ended).toMatchObject({ code: 1, signal: null });
    expect(words(other)).toMatch(
      new RegExp(`is in use by another Deskboard(: process ${owner.process.pid}, since 2| that is just starting)`),
    );

    const third = start();
    expect(await third.ended).toMatchObject({ code: 1 });
    expect(words(third)).toContain(`process ${owner.process.pid}, since 2`);

    owner.process.kill("SIGKILL");
    expect(await owner.ended).toMatchObject({ signal: "SIGKILL" });
    const next = start();
    expect(await next.told("started")).not.toBeNull();
    next.process.stdin?.end();
    expect(await next.ended).toMatchObject({ code: 0 });
  });
});

function words(life: StartedLife): string {
  return life.reports.map((report) => (report.report === "notStarted" ? report.text : "")).join("");
}

import { describe, expect, it } from "vitest";
import { killed, killedOn } from "#tests/support/crash-run.ts";
import type { Act } from "#tests/support/crash-script.ts";
import { expectEnd, lazily, lines, rest, send, sideBySide, type End, type Row } from "#tests/support/crash-survival.ts";

const resolve = (outcome: "ran" | "didNotRun" | "runAgain"): Act => ({ do: "resolve", outcome });
/** A write that became uncertain: the ledger has it, or has it not. */
const filled = lazily(() => killed({ acts: [send(lines.allowed, lines.done), rest], kill: "after:paperOrder#1" }));
const notFilled = lazily(() => killed({ acts: [send(lines.allowed, lines.done), rest], kill: "start:place_order#1" }));

const pending: End = {
  turns: "message done 2",
  calls: "place_order uncertain, place_order refused",
  requests: "uncertain pending",
  orders: 1,
};
const resolved: End = { ...pending, turns: "message done 2, outcome done 1", requests: "uncertain resolved" };

describe("an uncertain call", sideBySide, () => {
  it("P6: of an earlier life holds every other write with that tool, whatever a rule allows", async () => {
    const other: Act = { do: "allow", arguments: lines.otherArguments };
    await expectEnd(
      await killedOn(await filled()),
      {
        turns: "message done 2, message done 1",
        calls: "place_order uncertain, place_order refused, place_order held",
        requests: "uncertain pending, permission pending",
        orders: 1,
      },
      { acts: [other, send(lines.other)] },
    );
  });
});

describe("the resolution of an uncertain call, killed", sideBySide, () => {
  const acts = [rest, resolve("ran"), rest];

  it.each<Row>([
    ["before:resolution#1", pending],
    ["after:resolution#1", resolved],
  ])("P6: at %s: is lost only where it was not confirmed, and the desk is told once", async (kill, end) => {
    await expectEnd(await killedOn(await filled(), { acts, kill }), end);
  });
});

describe("an uncertain call that is run again, killed", sideBySide, () => {
  const acts = [rest, resolve("runAgain"), rest];
  const uncertainAgain: End = {
    turns: "message done 2, outcome done 1",
    calls: "place_order uncertain, place_order refused, place_order uncertain",
    requests: "uncertain resolved, uncertain pending",
    orders: 0,
  };
  const ranAgain: End = {
    ...resolved,
    calls: "place_order uncertain, place_order refused, place_order succeeded",
  };

  it.each<Row>([
    ["after:resolution#1", uncertainAgain],
    ["start:place_order#1", uncertainAgain],
    ["before:approvedResult#1", { ...uncertainAgain, orders: 1 }],
    ["after:approvedResult#1", ranAgain],
  ])("P2, P3, P6: at %s: has one key, and is uncertain again where nobody can know", async (kill, end) => {
    await expectEnd(await killedOn(await notFilled(), { acts, kill }), end);
  });

  it("P6: again and again: the ledger has one order under one key", async () => {
    const again = ["done:place_order#1", "before:approvedResult#1"].map((kill) => ({ acts, kill }));
    const remains = await killedOn(await filled(), ...again);
    const { rows } = await expectEnd(
      remains,
      {
        turns: "message done 2, outcome done 1, outcome done 1, outcome done 1",
        calls:
          "place_order uncertain, place_order refused, place_order uncertain, place_order uncertain, place_order succeeded",
        requests: "uncertain resolved, uncertain resolved, uncertain resolved",
        orders: 1,
      },
      { acts: [resolve("runAgain")] },
    );
    expect(new Set(rows.requests.map((request) => request.idempotencyKey)).size).toBe(1);
  });
});

describe("a late return, killed", sideBySide, () => {
  const acts = [send("wire_funds {}", lines.done), rest, { do: "release" } as const, rest];
  const waiting: End = {
    turns: "message done 1",
    calls: "wire_funds uncertain",
    requests: "uncertain pending",
    orders: 0,
  };
  const settled: End = {
    ...waiting,
    turns: "message done 1, outcome done 1",
    requests: "uncertain settled",
  };

  it.each<Row>([
    ["inside:settlement#1", waiting],
    ["after:settlement#1", settled],
  ])("P3, P6: at %s: settles the call once, or a person still has to look", async (kill, end) => {
    await expectEnd(await killed({ acts, kill }), end);
  });
});

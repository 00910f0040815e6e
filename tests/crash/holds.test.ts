import { describe, expect, it } from "vitest";
import { copied, killed } from "#tests/support/crash-run.ts";
import type { Act } from "#tests/support/crash-script.ts";
import { expectEnd, lines, rest, send, sideBySide, type End, type Row } from "#tests/support/crash-survival.ts";

const approve: Act = { do: "approve" };
const deny: Act = { do: "deny" };
const hold = [send(lines.held, lines.done), rest];
const runByMs = 60_000;

const pending: End = { turns: "message done 1", calls: "place_order held", requests: "permission pending", orders: 0 };
const ran: End = {
  turns: "message done 1, outcome done 1",
  calls: "place_order held, place_order succeeded",
  requests: "permission completed",
  orders: 1,
};

describe("a hold, killed", sideBySide, () => {
  const once: End = { ...pending, turns: "message done 2" };
  const repeated: End = { ...once, calls: "place_order held, place_order held" };

  it.each<Row>([
    ["before:hold#1", once],
    ["after:hold#1", repeated],
    ["told:answered#1", repeated],
  ])("P3, P4, P6: at %s: waits once, under one label, and nothing ran", async (kill, end) => {
    await expectEnd(await killed({ acts: hold, kill }), end);
  });

  it("H2, P4, P6: and approved after the next start: it is the same card, it runs once, and the desk has the result", async () => {
    const remains = await killed({ acts: hold, kill: "after:turnEnd#1" });
    const { seen, rows } = await expectEnd(remains, ran, { acts: [approve] });
    const [request] = rows.requests;
    expect(seen[0]).toContainEqual(expect.objectContaining({ report: "answered", requestId: request?.id }));
    const outcome = { report: "turn", kind: "outcome", requestId: request?.id };
    expect(seen.at(-1)).toContainEqual(expect.objectContaining(outcome));
    expect(rows.triggers.at(-1)?.text).toContain("approved by ann and run");
  });

  const joined = "place_order held, place_order held";
  it.each([
    ["inside:hold#2", joined],
    ["after:hold#2", `${joined}, place_order held`],
  ])("P3, P4, P6: joined by an equal call of another turn, at %s: is still one", async (kill, calls) => {
    const remains = await killed({ acts: [...hold, ...hold], kill });
    await expectEnd(remains, { ...pending, turns: "message done 1, message done 2", calls });
  });

  it("P4, P6, P7: decided while its turn was open, and killed: the turn that runs again is told, and nothing runs again", async () => {
    const acts = [send(lines.held, lines.done), approve, rest];
    const remains = await killed({ acts, kill: "after:approvedResult#1", stalls: ["before:turnEnd#1"] });
    await expectEnd(remains, {
      ...ran,
      turns: "message done 2, outcome done 1",
      calls: "place_order held, place_order succeeded, place_order held",
    });
  });
});

describe("a decision, killed", sideBySide, () => {
  const acts = [...hold, approve, rest];
  const denied: End = { ...pending, turns: "message done 1, outcome done 1", requests: "permission denied" };

  it.each<Row>([
    ["before:decision#1", pending],
    ["inside:decision#1", pending],
  ])("P4, P6: at %s: was not confirmed, so that it waits and nothing ran", async (kill, end) => {
    await expectEnd(await killed({ acts, kill }), end);
  });

  it.each<Row>([
    ["after:decision#1", denied],
    ["told:decided#1", denied],
  ])("P4, P6: denying, at %s: never runs, and a confirmed denial reaches the desk", async (kill, end) => {
    await expectEnd(await killed({ acts: [...hold, deny, rest], kill }), end);
  });

  it.each(["inside:expiry#1", "after:expiry#1"])(
    "P4, P6: too late, at %s: has expired, and the desk is told once",
    async (kill) => {
      const aheadMs = 16 * runByMs;
      const remains = await killed({ acts: [...hold, { do: "later", ms: aheadMs }, approve, rest], kill });
      await expectEnd(remains, { ...denied, requests: "permission expired" }, { aheadMs });
    },
  );
});

describe("an approved call that did not start, killed", sideBySide, () => {
  const acts = [...hold, approve, rest];
  const voided: End = { ...pending, turns: "message done 1, outcome done 1" };

  it.each([
    ["after:decision#1", []],
    ["told:decided#1", ["before:approvedRun#1"]],
    ["before:approvedRun#1", []],
    ["inside:approvedRun#1", []],
  ])(
    "H2, P4, P6: at %s: runs once after a start within runBy, and is void and asked again after it",
    async (kill, stalls) => {
      const remains = await killed({ acts, kill, stalls });
      const another = await copied(remains);
      await expectEnd(remains, ran, { aheadMs: runByMs / 2 });
      const { rows } = await expectEnd(another, voided, { aheadMs: runByMs + 1_000 });
      expect(rows.requests[0]).toMatchObject({ decidedBy: null, runBy: null, runCallId: null });
      expect(rows.requests[0]?.reason).toContain("it did not start within 60 s");
      expect(rows.triggers.at(-1)?.text).toContain("its approval is void");
    },
  );

  it("P4, P6: with edited arguments: runs once, with exactly these", async () => {
    const quantity = "1500";
    const edit: Act = { do: "approveEdited", arguments: { symbol: "EURUSD", side: "buy", quantity } };
    const { rows } = await expectEnd(await killed({ acts: [...hold, edit, rest], kill: "before:approvedRun#1" }), ran);
    expect(rows.orders[0]).toMatchObject({ quantity });
    expect(rows.requests[0]?.argumentsBeforeEdit).toContain("2000");
  });

  it("P4, P6: two of them: run in the order of the decisions", async () => {
    const both = [send(lines.held, lines.other, lines.done), rest, { do: "approveNewest" } as const, approve, rest];
    const remains = await killed({ acts: both, kill: "after:decision#2", stalls: ["before:approvedRun#1"] });
    const { rows } = await expectEnd(remains, {
      turns: "message done 1, outcome done 1, outcome done 1",
      calls: "place_order held, place_order held, place_order succeeded, place_order succeeded",
      requests: "permission completed, permission completed",
      orders: 2,
    });
    expect(rows.orders.map((order) => order.quantity)).toEqual(["3000", "2000"]);
  });

  it("P4, P6: of a desk that was paused meanwhile: is void, and asked again", async () => {
    const life = { acts: [...acts.slice(0, -1), { do: "pause" } as const], kill: "told:deskStatus#1" };
    const remains = await killed({ ...life, stalls: ["before:approvedRun#1"] });
    const { rows } = await expectEnd(remains, { ...voided, turns: "message done 1, outcome queued 0" });
    expect(rows.requests[0]?.reason).toContain("the desk is paused");
  });

  it("H2, P4: is approved once more after it was void, and runs once", async () => {
    const turns = "message done 1, outcome done 1, outcome done 1";
    const remains = await killed({ acts, kill: "before:approvedRun#1" });
    await expectEnd(remains, { ...ran, turns }, { acts: [approve], aheadMs: runByMs + 1_000 });
  });

  it.each(["before:void#1", "after:void#1"])("P4, P6: and again at %s: is void once, and nothing ran", async (kill) => {
    const aheadMs = runByMs + 1_000;
    const remains = await killed({ acts, kill: "before:approvedRun#1" }, { acts: [rest], kill, aheadMs });
    await expectEnd(remains, voided, { aheadMs });
  });
});

describe("an approved call that runs, killed", sideBySide, () => {
  const acts = [...hold, approve, rest];
  const uncertain: End = {
    turns: "message done 1, outcome done 1",
    calls: "place_order held, place_order uncertain",
    requests: "permission uncertain, uncertain pending",
    orders: 0,
  };
  const filled: End = { ...uncertain, orders: 1 };
  const toldAgain: End = { ...ran, turns: "message done 1, outcome done 2" };

  it.each<Row>([
    ["after:approvedRun#1", uncertain],
    ["start:place_order#1", uncertain],
    ["after:paperOrder#1", filled],
    ["done:place_order#1", filled],
    ["before:approvedResult#1", filled],
    ["inside:approvedResult#1", filled],
    ["after:approvedResult#1", ran],
    ["backend:start#2", toldAgain],
  ])("P2, P3, P4, P6: at %s: never runs twice, and the desk learns what is known of it", async (kill, end) => {
    const remains = await killed({ acts, kill });
    const isLate = kill === "after:approvedRun#1";
    const { rows } = await expectEnd(remains, end, { aheadMs: isLate ? runByMs + 1_000 : 0 });
    expect(rows.requests[0]?.decidedBy).toBe("ann");
  });
});

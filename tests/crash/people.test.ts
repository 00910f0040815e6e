import { describe, expect, it } from "vitest";
import { killed } from "#tests/support/crash-run.ts";
import type { Act, Life } from "#tests/support/crash-script.ts";
import { expectEnd, lines, rest, send, sideBySide, type End, type Row } from "#tests/support/crash-survival.ts";

const nothing: End = { turns: "", calls: "", requests: "", orders: 0 };

describe("a message with a clientId, killed", sideBySide, () => {
  const message: Act = { do: "send", text: "say Hello.", clientId: "c1" };
  const once: End = { ...nothing, turns: "message done 1" };

  it.each<Row>([
    ["before:trigger#1", once],
    ["after:trigger#1", once],
    ["told:accepted#1", once],
  ])("P6: at %s: is there once, also when it is sent again", async (kill, end) => {
    const { rows } = await expectEnd(await killed({ acts: [message, rest], kill }), end, { acts: [message] });
    expect(rows.triggers.map((trigger) => trigger.clientId)).toEqual(["c1"]);
  });
});

describe("forty messages at once, killed", sideBySide, () => {
  const acts: Act[] = [{ do: "pause" }, { do: "sendMany", count: 40 }];

  it.each(["inside:trigger#25", "told:accepted#25"])(
    "P6, D2: at %s: what was confirmed is there, and each once when all are sent again",
    async (kill) => {
      const turns = Array.from({ length: 40 }, () => "message queued 0").join(", ");
      const remains = await killed({ acts, kill });
      const { rows } = await expectEnd(remains, { ...nothing, turns }, { acts: [{ do: "sendMany", count: 40 }] });
      expect(new Set(rows.triggers.map((trigger) => trigger.clientId)).size).toBe(40);
    },
  );
});

describe("a new desk, killed", sideBySide, () => {
  const create: Act = { do: "createDesk", name: "hedges" };

  it.each(["before:desk#1", "inside:desk#1", "after:desk#1"])(
    "P6: at %s: is there once, or can be created again",
    async (kill) => {
      const refused = kill === "after:desk#1" ? ["already_exists"] : [];
      const { rows } = await expectEnd(await killed({ acts: [create], kill }), nothing, { acts: [create], refused });
      expect(rows.desks.map((desk) => desk.name).toSorted()).toEqual(["hedges", "majors"]);
    },
  );
});

describe("a rule, killed", sideBySide, () => {
  const acts: Act[] = [
    { do: "allow", arguments: '{"quantity":"2000","reduceOnly":false,"side":"buy","symbol":"EURUSD"}' },
  ];
  const held: End = {
    turns: "message done 1",
    calls: "place_order held",
    requests: "permission pending",
    orders: 0,
  };
  const ran: End = { turns: "message done 1", calls: "place_order succeeded", requests: "", orders: 1 };

  it.each<Row>([
    ["inside:policy#1", held],
    ["after:policy#1", ran],
  ])("P6: at %s: decides what comes after it, or nothing", async (kill, end) => {
    await expectEnd(await killed({ acts, kill }), end, { acts: [send(lines.held)] });
  });
});

describe("a pause, killed", sideBySide, () => {
  const pause: Act = { do: "pause" };
  const approve: Act = { do: "approve" };
  const runs: End = { ...nothing, turns: "message done 1" };
  const waits: End = { ...nothing, turns: "message queued 0" };

  it.each<Row>([["told:deskStatus#1", waits]])(
    "P6, P13: at %s: holds after the restart, where it was confirmed",
    async (kill, end) => {
      await expectEnd(await killed({ acts: [pause], kill }), end, { acts: [send("say Hello.")] });
    },
  );

  it.each<Row>([
    ["before:desk#2", waits],
    ["told:deskStatus#2", runs],
  ])("P6: and its end, at %s: the desk goes on only where it was resumed", async (kill, end) => {
    await expectEnd(await killed({ acts: [pause, { do: "resume" }], kill }), end, { acts: [send("say Hello.")] });
  });

  it("P4, P6: over a hold: it cannot be approved before the desk is resumed", async () => {
    const hold = [send(lines.held, lines.done), rest];
    const remains = await killed({ acts: [...hold, pause], kill: "told:deskStatus#1" });
    await expectEnd(
      remains,
      {
        turns: "message done 1, outcome done 1",
        calls: "place_order held, place_order succeeded",
        requests: "permission completed",
        orders: 1,
      },
      { acts: [approve, { do: "resume" }, approve], refused: ["desk_not_active"] },
    );
  });
});

describe("a stop, killed", sideBySide, () => {
  const hang: Act = { do: "reach", point: "backend:hang#1" };
  const stop = (all: boolean): Act => ({ do: "stop", all });
  const acts = [send(lines.held, "hang"), hang, stop(false)];
  const again: End = {
    turns: "message stopped 2",
    calls: "place_order held, place_order held",
    requests: "permission cancelled",
    orders: 0,
  };
  const stopped: End = { ...again, turns: "message stopped 1", calls: "place_order held" };

  it.each<Row>([
    ["before:stop#1", again],
    ["after:stop#1", stopped],
    ["told:stopped#1", stopped],
  ])("P4, P6, P13: at %s: a confirmed one holds, and nothing of the turn runs again", async (kill, end) => {
    const isLost = end === again;
    // The turn runs again and hangs, so the next start cannot come to rest before it is stopped once more.
    const lives: Life[] = isLost ? [{ acts: [hang, stop(false)], kill: "told:stopped#1" }] : [];
    await expectEnd(await killed({ acts, kill }, ...lives), end);
  });

  it("P6, P13: of all, at after:stop#1: what waited never runs", async () => {
    const all = [send("hang"), hang, send("say Later."), stop(true)];
    const remains = await killed({ acts: all, kill: "after:stop#1" });
    await expectEnd(remains, { ...nothing, turns: "message stopped 1, message stopped 0" });
  });

  it("P4, P6: of an approved call, at after:stop#1: it never runs", async () => {
    const kill = "after:stop#1";
    const approved = [send(lines.held, lines.done), rest, { do: "approve" } as const, stop(false)];
    const remains = await killed({ acts: approved, kill, stalls: ["before:approvedRun#1"] });
    await expectEnd(remains, {
      turns: "message done 1",
      calls: "place_order held",
      requests: "permission cancelled",
      orders: 0,
    });
  });
});

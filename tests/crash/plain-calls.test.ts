import { describe, expect, it } from "vitest";
import { killed } from "#tests/support/crash-run.ts";
import { expectEnd, lines, rest, send, sideBySide, type Row } from "#tests/support/crash-survival.ts";

describe("a plain read, killed", sideBySide, () => {
  const acts = [send(lines.read, lines.done), rest];
  const once = { turns: "message done 1", calls: "get_quote succeeded", requests: "", orders: 0 };
  const again = { ...once, turns: "message done 2" };
  const interrupted = { ...again, calls: "get_quote failed, get_quote succeeded" };
  const repeated = { ...again, calls: "get_quote succeeded, get_quote succeeded" };

  it.each<Row>([
    ["before:call#1", again],
    ["after:call#1", interrupted],
    ["start:get_quote#1", interrupted],
    ["before:result#1", interrupted],
    ["after:result#1", repeated],
    ["inside:message#1", repeated],
    ["after:message#1", repeated],
  ])("P2, P3, P6: at %s: fails as interrupted if it had begun, and its turn runs again", async (kill, end) => {
    await expectEnd(await killed({ acts, kill }), end);
  });
});

describe("a write that a rule allows, killed", sideBySide, () => {
  const acts = [send(lines.allowed, lines.done), rest];
  const notBegun = { turns: "message done 2", calls: "place_order succeeded", requests: "", orders: 1 };
  const uncertain = {
    turns: "message done 2",
    calls: "place_order uncertain, place_order refused",
    requests: "uncertain pending",
    orders: 0,
  };
  const uncertainFilled = { ...uncertain, orders: 1 };
  const confirmed = { ...notBegun, calls: "place_order succeeded, place_order refused" };

  it.each<Row>([
    ["before:call#1", notBegun],
    ["inside:call#1", notBegun],
    ["after:call#1", uncertain],
    ["start:place_order#1", uncertain],
    ["inside:paperOrder#1", uncertain],
    ["after:paperOrder#1", uncertainFilled],
    ["done:place_order#1", uncertainFilled],
    ["before:result#1", uncertainFilled],
    ["inside:result#1", uncertainFilled],
    ["after:result#1", confirmed],
    ["told:answered#1", confirmed],
  ])("P2, P3, P6, P7: at %s: is never made twice, and is uncertain where nobody can know", async (kill, end) => {
    await expectEnd(await killed({ acts, kill }), end);
  });
});

describe("a note, killed", sideBySide, () => {
  const acts = [send('write_note {"text":"Watch the close."}', lines.done), rest];
  const end = {
    turns: "message done 2",
    calls: "write_note uncertain, write_note refused",
    requests: "uncertain pending",
    orders: 0,
  };

  it.each<Row>([
    ["inside:note#1", end],
    ["after:note#1", end],
  ])("P6: at %s: is written once or not at all", async (kill) => {
    const { rows } = await expectEnd(await killed({ acts, kill }), end);
    const written = kill === "after:note#1" ? 1 : 0;
    expect(rows.notes).toHaveLength(written);
  });
});

describe("a call that is refused, killed", sideBySide, () => {
  const acts = [send("no_such_tool {}", lines.done), rest];
  const once = { turns: "message done 2", calls: "no_such_tool refused", requests: "", orders: 0 };
  const twice = { ...once, calls: "no_such_tool refused, no_such_tool refused" };

  it.each<Row>([
    ["inside:refusal#1", once],
    ["after:refusal#1", twice],
  ])("P3, P6: at %s: has one result", async (kill, end) => {
    await expectEnd(await killed({ acts, kill }), end);
  });
});

describe("a turn at its cap of calls, killed", sideBySide, () => {
  const acts = [{ do: "capCalls", callsPerTurn: 1 } as const, send(lines.read, lines.read, lines.done), rest];
  const end = {
    turns: "message done 2",
    calls: "get_quote succeeded, get_quote refused, get_quote refused",
    requests: "",
    orders: 0,
  };

  it.each<Row>([
    ["inside:cap#1", end],
    ["after:cap#1", end],
  ])("P6: at %s: stays at its cap, and people are told", async (kill) => {
    const { rows } = await expectEnd(await killed({ acts, kill }), end);
    expect(rows.desks[0]?.capReached?.cap).toBe("callsPerTurn");
  });
});

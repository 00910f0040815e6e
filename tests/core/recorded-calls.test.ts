import { parse } from "lossless-json";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { CallAnswer } from "#lib/core/ports/backend.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { call } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { expectOneResultEach } from "./one-result.ts";

let desk: TestDesk;
let published: DeskEvent[];

beforeEach(async () => {
  desk = await openTestDesk();
  published = [];
  desk.bus.subscribe((event) => published.push(event));
});

afterEach(async () => {
  desk.backend.assertDone();
  await expectOneResultEach(desk);
  // P11: what was published is what is read.
  expect((await desk.events()).slice(-published.length)).toEqual(published);
  await desk.remove();
});

const is = (status: string) => (answer: CallAnswer) => answer.status === status;
const shown = () => published.flatMap((event) => (event.kind === "tool_call" ? [event.payload.arguments] : []));

it("D1: arguments null, {} and absent are three states in rows and events", async () => {
  desk.backend.turn(
    call("list_positions", null, is("refused")),
    call("list_positions", {}, is("succeeded")),
    call("list_positions", undefined, is("succeeded")),
  );
  await desk.turn();
  expect((await desk.calls()).map((row) => [row.argumentsGiven, row.arguments])).toEqual([
    ["null", null],
    ["{}", "{}"],
    [null, "{}"],
  ]);
  expect(shown()).toEqual([null, {}, undefined]);
  expect(published.filter((event) => event.kind === "tool_call").map((event) => "arguments" in event.payload)).toEqual([
    true,
    true,
    false,
  ]);
});

it("M10, D1: a big integer keeps its digits wherever it is shown", async () => {
  const digits = "9007199254740993123";
  desk.backend.turn(
    call("cancel_orders", parse(`{"orderId":${digits}}`), (answer) => {
      expect(answer.status).toBe("refused");
      expect(answer.text).toContain(`(given: ${digits})`);
    }),
    call("cancel_orders", { orderId: digits }, is("succeeded")),
  );
  const triggerId = await desk.turn();
  expect((await desk.calls()).map((row) => row.argumentsGiven)).toEqual([
    `{"orderId":${digits}}`,
    `{"orderId":"${digits}"}`,
  ]);
  expect(shown()).toEqual([{ orderId: digits }, { orderId: digits }]);
  expect(desk.executor.completedCalls(triggerId)).toMatchObject([{ arguments: { orderId: digits } }]);
});

it("M12, D1: half an emoji and NUL are well-formed text when they are stored and sent", async () => {
  const question = { question: "Which \ud83d?", header: "Stop", multiSelect: false };
  const options = ["a \ud83d", "b"].map((label) => ({ label, description: "x\u0000y" }));
  desk.backend.turn(
    call("ask_user", { questions: [{ ...question, options }] }, is("succeeded")),
    call("get_quote", { symbol: "EUR\ud83dUSD" }, is("succeeded")),
  );
  await desk.turn();
  const [request] = await desk.pending();
  expect(request?.questions?.[0]).toMatchObject({
    question: "Which \ufffd?",
    options: [{ label: "a \ufffd", description: "x\u0000y" }, { label: "b" }],
  });
  expect(desk.witness.reads).toEqual([{ name: "get_quote", symbol: "EUR\ufffdUSD" }]);
  expect(JSON.stringify(published)).not.toMatch(/\\ud83d/i);
});

it("completed calls: oldest first, refused ones left out, empty where nothing ran or nothing is known of the turn", async () => {
  desk.backend.turn(
    call("nothing", {}, is("refused")),
    call("get_quote", { symbol: "B" }),
    call("place_order", { symbol: "B", quantity: 1 }, is("held")),
    call("get_quote", { symbol: "A" }),
  );
  const triggerId = await desk.turn();
  expect(desk.executor.completedCalls(triggerId)).toMatchObject([
    { name: "get_quote", arguments: { symbol: "B", venue: "any" }, resultText: "1.16042", isError: false },
    { name: "place_order", arguments: { quantity: "1" }, isError: false },
    { name: "get_quote", arguments: { symbol: "A" } },
  ]);
  desk.backend.turn();
  expect(desk.executor.completedCalls(await desk.turn())).toEqual([]);
  expect(desk.executor.completedCalls("01NEVER")).toEqual([]);
});

it("memory is bounded: the oldest turns are forgotten, and answer as if nothing ran", async () => {
  desk.backend.turn(call("get_quote", { symbol: "A" }));
  const triggerId = await desk.turn();
  for (let turn = 0; turn < 500; turn += 1) {
    desk.executor.startTurn({ triggerId: `t${turn}` });
    desk.executor.endTurn(`t${turn}`);
  }
  expect(desk.executor.completedCalls(triggerId)).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, say, together } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";

let desk: TestDesk;

beforeEach(async () => {
  desk = await openTestDesk();
});

afterEach(async () => {
  desk.backend.assertDone();
  await desk.remove();
});

const order = { symbol: "EURUSD", quantity: "200000" };

describe("a plain call", () => {
  it("P2, P3: is recorded, published, run, and its result is recorded before the backend has it", async () => {
    desk.backend.turn(
      call("get_quote", { symbol: "EURUSD" }, (answer) => {
        expect(answer).toMatchObject({ status: "succeeded", text: "1.16042", isError: false, outcome: "done" });
      }),
      say("seen"),
    );
    const triggerId = await desk.turn();
    const [row] = await desk.calls();
    expect(row).toMatchObject({ name: "get_quote", status: "succeeded", triggerId, attempt: 1, backend: "scripted" });
    expect((await desk.events()).map((event) => event.kind)).toEqual([
      "desk_changed",
      "message",
      "trigger_queued",
      "turn_started",
      "tool_call",
      "tool_result",
      "message",
      "turn_ended",
    ]);
    expect(desk.executor.completedCalls(triggerId)).toMatchObject([{ name: "get_quote", resultText: "1.16042" }]);
  });

  it("P14: of an unknown tool, or with bad arguments, is an error result that says what would be right", async () => {
    desk.backend.turn(
      call("place_ordr", order, (answer) => expect(answer.text).toContain("place_order")),
      call("place_order", { symbol: "EURUSD" }, (answer) =>
        expect(answer.text).toMatch(/quantity: is missing.*given: nothing/),
      ),
      call("get_quote", null, (answer) =>
        expect(answer.text).toMatch(/arguments: must be a JSON object \(given: null\)/),
      ),
      call("list_positions", undefined, (answer) => expect(answer.status).toBe("succeeded")),
    );
    const triggerId = await desk.turn();
    expect((await desk.calls()).map((row) => [row.status, row.argumentsGiven])).toEqual([
      ["refused", JSON.stringify(order)],
      ["refused", '{"symbol":"EURUSD"}'],
      ["refused", "null"],
      ["succeeded", null],
    ]);
    expect(desk.executor.completedCalls(triggerId)).toHaveLength(1);
  });
});

describe("a write that needs permission", () => {
  it("P4: is held at once without an error, runs after the approval, and the outcome comes as a message", async () => {
    desk.backend.turn(
      call("place_order", order, (answer) => expect(answer).toMatchObject({ status: "held", isError: false })),
      call("place_order", { quantity: 200000.0, symbol: "EURUSD" }, (answer) =>
        expect(answer).toMatchObject({ status: "held", isError: false }),
      ),
    );
    const triggerId = await desk.turn();
    const waiting = await desk.pending();
    expect(waiting).toHaveLength(1);
    expect(desk.witness.orders).toEqual([]);
    desk.backend.turn(say("thanks"));
    const decided = await desk.approve(waiting[0]!);
    expect(decided).toMatchObject({ state: "approved", decidedBy: "ann" });
    await desk.until((event) => event.kind === "turn_ended" && event.triggerId !== triggerId);
    expect(desk.witness.orders).toMatchObject([{ key: waiting[0]!.id, symbol: "EURUSD", quantity: "200000" }]);
    expect(await desk.store.request(waiting[0]!.id)).toMatchObject({ state: "completed" });
    expect(desk.backend.turns[1]!.trigger).toMatchObject({ kind: "outcome", requestId: waiting[0]!.id });
    expect(desk.executor.completedCalls(triggerId)[0]!.resultText).toContain("approved by ann and has run");
    expect((await desk.events()).map((event) => event.kind).slice(4)).toEqual([
      "tool_call",
      "user_request",
      "tool_result",
      "tool_call",
      "tool_result",
      "turn_ended",
      "user_request_changed",
      "user_request_changed",
      "tool_call",
      "tool_result",
      "user_request_changed",
      "trigger_queued",
      "turn_started",
      "message",
      "turn_ended",
    ]);
  });

  it("G3, P7: four equal writes in one reply run once, and the same call is allowed in the next turn", async () => {
    const cancel = call("cancel_orders", { ids: ["o1"] });
    desk.backend.turn(together(cancel, cancel, cancel, cancel));
    await desk.turn();
    expect((await desk.calls()).map((row) => row.status).toSorted()).toEqual([
      "refused",
      "refused",
      "refused",
      "succeeded",
    ]);
    expect(desk.witness.orders).toHaveLength(1);
    desk.backend.turn(call("cancel_orders", { ids: ["o1"] }, (answer) => expect(answer.status).toBe("succeeded")));
    await desk.turn();
    expect(desk.witness.orders).toHaveLength(2);
  });
});

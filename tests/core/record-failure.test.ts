import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallAnswer } from "#lib/core/ports/backend.ts";
import { call, hangUntilAborted, look, rejects, ScriptedBackend } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { faultyStore, type Faults } from "./faulty-store.ts";

let desk: TestDesk;
let faults: Faults;
let second: ScriptedBackend;
let first: ScriptedBackend;

beforeEach(async () => {
  const faulty = faultyStore();
  faults = faulty.faults;
  first = new ScriptedBackend("first");
  second = new ScriptedBackend("second");
  desk = await openTestDesk({ store: faulty.store, backends: [first, second] });
});

afterEach(async () => {
  await first.settled();
  await desk.remove();
  first.assertDone();
  // Where the record cannot be written, no other backend could do better.
  expect(second.turns).toEqual([]);
});

const cancel = (expected?: (answer: CallAnswer) => unknown) => call("cancel_orders", { ids: ["o1"] }, expected);
const trigger = async () => (await desk.store.triggers({ order: "newest", limit: 1 }))[0];

describe("P2: a call that could not be recorded", () => {
  it("is rejected, starts nothing, leaves nothing, and the guard forgets it", async () => {
    faults.fail.push("call");
    first.turn(
      rejects(cancel()),
      look(() => expect(desk.witness.orders).toEqual([])),
      cancel((answer) => answer.status === "succeeded"),
      cancel((answer) => answer.status === "refused"),
    );
    const triggerId = await desk.turn();
    expect(await desk.calls()).toHaveLength(2);
    expect(desk.executor.completedCalls(triggerId)).toHaveLength(1);
    expect(desk.executor.halted).toBeNull();
  });

  it("ends the turn where the backend passes that on, and the desk says why it takes no more calls", async () => {
    faults.fail.push("call");
    first.turn({
      label: "call that is not recorded",
      ends: true,
      run: async (turn) => void (await turn.call({ name: "cancel_orders" })),
    });
    await desk.turn();
    expect(desk.executor.halted).toContain("could not be recorded");
    expect(await trigger()).toMatchObject({ state: "running" });
    expect(desk.log.lines.some((line) => line.level === "error")).toBe(true);
  });

  it.each(["hold", "question", "refusal"] as const)("as a %s is rejected, and can be asked for again", async (name) => {
    const question = {
      question: "Which?",
      header: "Stop",
      multiSelect: false,
      options: ["a", "b"].map((label) => ({ label, description: "x" })),
    };
    const asks = {
      hold: () => call("place_order", { symbol: "EURUSD", quantity: 1 }, (answer) => answer.status === "held"),
      question: () => call("ask_user", { questions: [question] }, (answer) => answer.requestId !== null),
      refusal: () => call("nothing", {}, (answer) => answer.status === "refused"),
    };
    faults.fail.push(name);
    first.turn(rejects(asks[name]()), asks[name]());
    await desk.turn();
    expect(await desk.calls()).toHaveLength(1);
    expect(await desk.pending()).toHaveLength(name === "refusal" ? 0 : 1);
  });
});

describe("P2, P3: a result that could not be recorded", () => {
  it("halts the desk: the call is rejected, later ones too, and recovery makes it uncertain", async () => {
    faults.fail.push("result");
    first.turn(rejects(cancel()), rejects(call("get_quote", { symbol: "EURUSD" })));
    await desk.turn();
    expect(desk.witness.orders).toHaveLength(1);
    expect(desk.witness.reads).toEqual([]);
    expect(desk.executor.halted).toMatch(/result of cancel_orders \(call .*\) could not be recorded/);
    expect(await trigger()).toMatchObject({ state: "running" });
    await desk.triggers.send("majors", { text: "are you there?" }, "ann");
    await desk.runner.idle();
    expect(first.turns).toHaveLength(1);
    await desk.live.close();

    const again = new ScriptedBackend("first").turn(
      look((turn) => expect(turn.completedCalls).toMatchObject([{ name: "cancel_orders", isError: true }])),
      cancel((answer) => answer.status === "refused"),
    );
    again.turn();
    const next = await openTestDesk({ record: desk.record, backends: [again, second] });
    expect(await next.recover()).toMatchObject({ uncertainCalls: 1, turnsAgain: 1 });
    await next.runner.idle();
    again.assertDone();
    const [row] = await next.calls();
    expect(row).toMatchObject({ status: "uncertain", outcome: "unknown" });
    expect(await next.pending()).toMatchObject([{ kind: "uncertain", callId: row?.id }]);
    const results = (await next.events()).filter(
      (event) => event.kind === "tool_result" && event.payload.callId === row?.id,
    );
    expect(results).toHaveLength(1);
    await next.live.close();
  });

  it("ends the attempt of a backend that hangs after it", async () => {
    faults.fail.push("result");
    first.turn(rejects(cancel()), hangUntilAborted());
    await desk.turn();
    expect(desk.executor.halted).not.toBeNull();
    expect(await trigger()).toMatchObject({ state: "running" });
  });

  it("P13: people can still stop, pause and deny, but not approve", async () => {
    first.turn(
      call("place_order", { symbol: "EURUSD", quantity: 1 }),
      look(() => void faults.fail.push("result")),
      rejects(cancel()),
    );
    await desk.turn();
    const [waiting] = await desk.pending();
    await expect(desk.approve(waiting!)).rejects.toMatchObject({ code: "record_unavailable" });
    await desk.deny(waiting!);
    await desk.desks.pause("majors", "ann");
    expect(await desk.desks.stop("majors", true, "ann")).toMatchObject({
      stopped: [expect.any(String), expect.any(String)],
    });
    expect(desk.witness.orders).toHaveLength(1);
  });
});

describe("P4: an approved call", () => {
  it("whose start could not be recorded has not started, and is void after its time", async () => {
    first.turn(call("place_order", { symbol: "EURUSD", quantity: 1 }));
    await desk.turn();
    const [waiting] = await desk.pending();
    faults.fail.push("approvedRun");
    const tried = Promise.withResolvers<void>();
    faults.before = async (unit) => {
      if (unit.name === "approvedRun") tried.resolve();
    };
    await desk.approve(waiting!);
    await tried.promise;
    expect(desk.witness.orders).toEqual([]);
    expect(await desk.store.request(waiting!.id)).toMatchObject({ state: "approved" });
    // Its time has passed: the next sweep finds it.
    await desk.store.commit({
      name: "decision",
      when: [],
      changes: [{ update: "request", key: waiting!.id, set: { runBy: "2026-01-01T00:00:00.000Z" } }],
      events: [],
    });
    first.turn();
    await desk.requests.expireDue();
    await desk.until((event) => event.kind === "user_request_changed" && event.payload.to === "pending");
    await desk.runner.idle();
    expect(await desk.store.request(waiting!.id)).toMatchObject({ state: "pending", decidedBy: null });
    expect(desk.witness.orders).toEqual([]);
  });

  it("whose result could not be recorded halts the desk, and recovery makes it uncertain", async () => {
    first.turn(call("place_order", { symbol: "EURUSD", quantity: 1 }));
    await desk.turn();
    const [waiting] = await desk.pending();
    faults.fail.push("approvedResult");
    await desk.approve(waiting!);
    // Behind the one that runs.
    await desk.executor.runApproved(waiting!.id);
    expect(desk.executor.halted).toContain("result of place_order");
    await desk.live.close();
    const again = new ScriptedBackend("first").turn();
    const next = await openTestDesk({ record: desk.record, backends: [again, second] });
    await next.recover();
    await next.runner.idle();
    expect(await next.store.request(waiting!.id)).toMatchObject({ state: "uncertain" });
    expect(await next.pending()).toMatchObject([{ kind: "uncertain", idempotencyKey: waiting!.id }]);
    expect(again.turns[0]?.trigger.data).toMatchObject({ state: "uncertain" });
    await next.live.close();
  });
});

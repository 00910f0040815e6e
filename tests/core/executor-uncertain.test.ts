import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallAnswer } from "#lib/core/ports/backend.ts";
import { done, notDone, type ToolContext, type ToolResult } from "#lib/core/tool.ts";
import { call, look, say } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock, type ManualClock } from "#tests/support/manual-clock.ts";
import { faultyStore, type Faults } from "./faulty-store.ts";
import { expectOneResultEach } from "./one-result.ts";
import { addRule } from "./rules.ts";

let desk: TestDesk;
let clock: ManualClock;
let faults: Faults;

beforeEach(async () => {
  clock = manualClock();
  const faulty = faultyStore();
  faults = faulty.faults;
  desk = await openTestDesk({ clock, store: faulty.store });
});

afterEach(async () => {
  desk.backend.assertDone();
  await expectOneResultEach(desk);
  await desk.remove();
});

const cancel = (id: string, expected?: (answer: CallAnswer) => unknown) =>
  call("cancel_orders", { ids: [id] }, expected);
const uncertain = (answer: CallAnswer) => {
  expect(answer).toMatchObject({ status: "uncertain", isError: true, outcome: "unknown" });
  expect(answer.text).toMatch(/Whether it took effect is not known.*R-1\. Do not repeat it/s);
};
const succeeded = (answer: CallAnswer) => answer.status === "succeeded";
const isChange = (to: string) => (event: { kind: string; payload: unknown }) =>
  event.kind === "user_request_changed" && (event.payload as { to: string }).to === to;

/** The next write hangs until the test lets it go on. */
function hanging(): {
  started: Promise<ToolContext>;
  finish: (result: ToolResult) => void;
  fail: (error: Error) => void;
} {
  const started = Promise.withResolvers<ToolContext>();
  const finished = Promise.withResolvers<ToolResult>();
  desk.script.orders.push((context) => {
    started.resolve(context);
    return finished.promise;
  });
  return { started: started.promise, finish: finished.resolve, fail: finished.reject };
}

/** A turn whose only write times out while it hangs. */
async function timedOut() {
  const write = hanging();
  desk.backend.turn(cancel("o1", uncertain));
  const triggerId = await desk.triggers.send("majors", { text: "go" }, "ann");
  const context = await write.started;
  clock.advance(30_000);
  await desk.runner.idle();
  const [request] = await desk.pending();
  return { ...write, triggerId, context, request: request! };
}

describe("a write whose outcome is not known", () => {
  it("M14: because it threw, is a request of its own that never expires", async () => {
    desk.script.orders.push(() => Promise.reject(new Error("socket closed")));
    desk.backend.turn(cancel("o1", uncertain));
    const triggerId = await desk.turn();
    const [call_] = await desk.calls();
    expect(await desk.pending()).toMatchObject([
      {
        kind: "uncertain",
        state: "pending",
        callId: call_?.id,
        idempotencyKey: call_?.idempotencyKey,
        expiresAt: null,
      },
    ]);
    clock.advance(365 * 24 * 3_600_000);
    await desk.requests.expireDue();
    expect(await desk.pending()).toHaveLength(1);
    expect(desk.executor.completedCalls(triggerId)).toMatchObject([{ isError: true }]);
  });

  it("M14: because it timed out, is told so, and its signal is aborted", async () => {
    const { context } = await timedOut();
    expect(context.signal.aborted).toBe(true);
    expect((await desk.calls())[0]).toMatchObject({
      status: "uncertain",
      resultText: expect.stringContaining("timed out after 30 s") as string,
    });
  });

  it("P3: a late return settles it by an event of its own, never by a second result", async () => {
    const { finish, request } = await timedOut();
    desk.backend.turn(say("I see"));
    finish(done("cancelled after all"));
    await desk.until(isChange("settled"));
    await desk.runner.idle();
    expect(await desk.store.request(request.id)).toMatchObject({
      state: "settled",
      resultText: "cancelled after all",
      decidedBy: null,
    });
    const { trigger } = desk.backend.turns[1]!;
    expect(trigger).toMatchObject({
      kind: "outcome",
      requestId: request.id,
      data: { state: "settled", note: "it took effect" },
    });
    expect(trigger.text).toContain('"cancelled after all"');
  });

  it("a late return that says not done settles it as not done", async () => {
    const { finish } = await timedOut();
    desk.backend.turn(say("I see"));
    finish(notDone("there was no such order"));
    await desk.until(isChange("settled"));
    await desk.runner.idle();
    expect(desk.backend.turns[1]!.trigger.data).toMatchObject({ note: "it did not take effect" });
  });

  it("a late return that throws, or is itself unknown, settles nothing", async () => {
    const { fail, request } = await timedOut();
    fail(new Error("late and broken"));
    await desk.executor.idle();
    expect(await desk.store.request(request.id)).toMatchObject({ state: "pending" });
  });

  it("P5: a late return after a person resolved it changes nothing", async () => {
    const { finish, request } = await timedOut();
    desk.backend.turn(say("I see"));
    await desk.requests.resolve(request.id, { outcome: "didNotRun", note: "checked at the broker" }, "ann");
    await desk.runner.idle();
    const settling = Promise.withResolvers<void>();
    faults.before = async (unit) => {
      if (unit.name === "settlement") settling.resolve();
    };
    finish(done("cancelled after all"));
    await settling.promise;
    // Written behind it.
    await addRule(desk.store, "allow");
    expect(await desk.store.request(request.id)).toMatchObject({
      state: "resolved",
      decision: "didNotRun",
      decidedBy: "ann",
    });
  });
});

describe("until it is resolved", () => {
  it("P8: further writes of that tool are held whatever the rules allow; other tools and reads go on", async () => {
    await addRule(desk.store, "allow");
    desk.script.orders.push(() => Promise.reject(new Error("socket closed")));
    desk.backend.turn(
      cancel("o1", uncertain),
      cancel("o1", (answer) => answer.status === "refused"),
      cancel("o2", (answer) => answer.status === "held"),
      call("place_order", { symbol: "EURUSD", quantity: 1 }, succeeded),
      call("get_quote", { symbol: "EURUSD" }, succeeded),
    );
    await desk.turn();
    const [first, second] = await desk.pending();
    expect(second).toMatchObject({
      kind: "permission",
      reason: expect.stringContaining(`R-${first?.number}`) as string,
    });
    desk.backend.turn(cancel("o3", (answer) => answer.status === "held"));
    await desk.turn();
    desk.backend.turn(cancel("o4", succeeded));
    await desk.requests.resolve(first!.id, { outcome: "ran", note: "" }, "ann");
    await desk.runner.idle();
    expect(desk.backend.turns[2]!.trigger.data).toMatchObject({ state: "resolved", resolution: "ran", by: "ann" });
  });

  it("P8: a write that was judged before another became uncertain is judged anew", async () => {
    const first = hanging();
    desk.backend.turn(
      look(async (turn) => {
        const answers = [turn.call({ name: "cancel_orders", arguments: { ids: ["o1"] } })];
        await first.started;
        first.fail(new Error("socket closed"));
        answers.push(turn.call({ name: "cancel_orders", arguments: { ids: ["o2"] } }));
        const [one, two] = await Promise.all(answers);
        expect(one?.status).toBe("uncertain");
        expect(["held", "succeeded"]).toContain(two?.status);
        const uncertainAt = (await desk.events()).findIndex(
          (event) => event.kind === "tool_result" && event.payload.status === "uncertain",
        );
        const startedAt = (await desk.events()).findIndex(
          (event) => event.kind === "tool_call" && event.payload.callId === two?.callId,
        );
        expect(two?.status).toBe(startedAt < uncertainAt ? "succeeded" : "held");
      }),
    );
    await desk.turn();
  });
});

describe("resolving it", () => {
  it("P5: the first wins; the same again gets the same answer; others are told who", async () => {
    const { request } = await timedOut();
    desk.backend.turn(say("I see"));
    const first = await desk.requests.resolve(request.id, { outcome: "ran", note: "seen" }, "ann");
    expect(await desk.requests.resolve(request.id, { outcome: "ran", note: "" }, "ann")).toEqual(first);
    await expect(desk.requests.resolve(request.id, { outcome: "didNotRun", note: "" }, "bob")).rejects.toMatchObject({
      code: "already_decided",
      message: expect.stringMatching(/resolved \(ran\) by ann at 2026/) as string,
    });
    await desk.runner.idle();
    expect(desk.backend.turns[1]!.trigger.text).toContain('Words of ann, quoted: "seen"');
  });

  it("P4: run again uses the same key, in a call of its own, and the desk hears of it", async () => {
    const { request, context } = await timedOut();
    desk.backend.turn(say("I see"));
    await desk.requests.resolve(request.id, { outcome: "runAgain", note: "" }, "ann");
    await desk.until((event) => event.kind === "trigger_queued" && event.payload.kind === "outcome");
    await desk.runner.idle();
    expect(desk.witness.orders).toMatchObject([{ key: context.idempotencyKey }]);
    const [first, second] = await desk.calls();
    expect(second).toMatchObject({ requestId: request.id, status: "succeeded", idempotencyKey: first?.idempotencyKey });
    expect(second?.id).not.toBe(first?.id);
    expect(desk.backend.turns[1]!.trigger.data).toMatchObject({
      state: "resolved",
      resolution: "runAgain",
      resultText: "cancelled",
    });
  });

  it("run again is judged by the rules of the moment in which it starts", async () => {
    const { request } = await timedOut();
    faults.before = async (unit, real) => {
      faults.before = null;
      if (unit.name === "resolution") await addRule(real, "deny", { note: "just now" });
    };
    await expect(desk.requests.resolve(request.id, { outcome: "runAgain", note: "" }, "ann")).rejects.toMatchObject({
      code: "refused_by_rule",
      message: expect.stringContaining("just now") as string,
    });
    expect(desk.witness.orders).toEqual([]);
  });

  it("P13: run again is blocked while the desk is paused, or a rule denies it, and it still waits", async () => {
    const { request } = await timedOut();
    await desk.desks.pause("majors", "ann");
    const again = () => desk.requests.resolve(request.id, { outcome: "runAgain", note: "" }, "ann");
    await expect(again()).rejects.toMatchObject({ code: "desk_not_active" });
    await desk.desks.change("majors", { status: "active" }, "ann");
    await addRule(desk.store, "deny");
    await expect(again()).rejects.toMatchObject({ code: "refused_by_rule" });
    expect(await desk.pending()).toMatchObject([{ id: request.id, state: "pending" }]);
    expect(desk.witness.orders).toEqual([]);
  });

  it("a stop leaves it: it is cancelled by nobody", async () => {
    const { request } = await timedOut();
    await desk.desks.stop("majors", true, "ann");
    expect(await desk.store.request(request.id)).toMatchObject({ state: "pending" });
  });
});

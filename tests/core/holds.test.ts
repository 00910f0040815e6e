import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallAnswer } from "#lib/core/ports/backend.ts";
import { call, hangUntilAborted, look, say, ScriptedBackend, together } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock, type ManualClock } from "#tests/support/manual-clock.ts";
import { expectOneResultEach } from "./one-result.ts";
import { addRule } from "./rules.ts";
import { startAgain } from "./start-again.ts";

let desk: TestDesk;
let clock: ManualClock;

beforeEach(async () => {
  clock = manualClock();
  desk = await openTestDesk({ clock });
});

afterEach(async () => {
  desk.backend.assertDone();
  await expectOneResultEach(desk);
  await desk.remove();
});

const order = (quantity: unknown, expected?: (answer: CallAnswer) => unknown, more: object = {}) =>
  call("place_order", { symbol: "EURUSD", quantity, ...more }, expected);
const heldAs = (label: string) => (answer: CallAnswer) => {
  expect(answer).toMatchObject({ status: "held", isError: false, outcome: "notDone" });
  expect(answer.text).toContain(label);
};
const trigger = (index: number) => desk.backend.turns[index]!.trigger;

describe("a hold", () => {
  it("P4: answers at once with words that say what to do, and keeps what a card needs", async () => {
    desk.backend.turn(
      order(
        "200000",
        (answer) => {
          expect(answer.text).toBe(
            "Held: it waits for a person as R-1 and has not run. Do not repeat it and do not wait for it; the outcome comes as a new message.",
          );
        },
        { note: "x" },
      ),
    );
    const triggerId = await desk.turn();
    const [request] = await desk.pending();
    const [row] = await desk.calls();
    expect(request).toMatchObject({
      number: 1,
      kind: "permission",
      deskName: "majors",
      tool: "place_order",
      triggerId,
      callId: row?.id,
      attempt: 1,
      backend: "scripted",
      arguments: '{"note":"x","orderType":"market","quantity":"200000","symbol":"EURUSD"}',
      facts: { reducesRisk: false, quantity: "200000" },
      ticket: { headline: "BUY 200000 EURUSD MARKET" },
      reason: "place_order is a write without a rule.",
      expiresAt: "2026-09-08T14:15:00.000Z",
      decidedBeforeId: null,
      idempotencyKey: request?.id,
    });
    expect(row).toMatchObject({ status: "held", verdict: "hold", requestId: request?.id });
  });

  it("P7: a repeat in its turn is told how it stands: never a new hold, never a run", async () => {
    desk.backend.turn(
      order(1, heldAs("R-1")),
      order("1.0", heldAs("R-1 waits for a person")),
      look(async () => desk.deny((await desk.pending())[0]!, "too big")),
      order(1, heldAs('R-1 was denied by ann; it did not run. Their words: "too big".')),
      look(() => addRule(desk.store, "allow")),
      order(1, heldAs("R-1 was denied")),
    );
    desk.backend.turn(say("understood"));
    await desk.turn();
    expect(desk.witness.orders).toEqual([]);
    expect(await desk.store.countRequests({ deskName: "majors" })).toBe(1);
  });

  it("P7: asked for four times in one reply is one hold, and each is told so without an error", async () => {
    desk.backend.turn(together(...[1, "1", "1.0", "+1"].map((quantity) => order(quantity, heldAs("R-1")))));
    await desk.turn();
    expect(await desk.pending()).toHaveLength(1);
  });

  it("a pending one of another turn is returned instead of a second; its outcome shows in both turns", async () => {
    desk.backend.turn(order(1, heldAs("R-1")));
    const one = await desk.turn();
    desk.backend.turn(order(1, heldAs("R-1 waits for a person"), { note: "again" }), order(2, heldAs("R-2")));
    const two = await desk.turn();
    const [request] = await desk.pending();
    desk.backend.turn();
    await desk.deny(request!);
    await desk.runner.idle();
    for (const turn of [one, two])
      expect(desk.executor.completedCalls(turn)[0]?.resultText).toContain("R-1 was denied by ann");
  });

  it("one that was decided within a day makes a new hold that says so; after a day it does not", async () => {
    desk.backend.turn(order(1, heldAs("R-1")));
    await desk.turn();
    const [first] = await desk.pending();
    desk.backend.turn(order(1, heldAs("R-2")));
    await desk.deny(first!);
    await desk.runner.idle();
    const [second] = await desk.pending();
    expect(second).toMatchObject({ number: 2, decidedBeforeId: first?.id });
    desk.backend.turn();
    await desk.deny(second!);
    await desk.runner.idle();
    clock.advance(24 * 3_600_000 + 1);
    desk.backend.turn(order(1, heldAs("R-3")));
    await desk.turn();
    expect(await desk.pending()).toMatchObject([{ number: 3, decidedBeforeId: null }]);
  });

  it("G3, P7: the same call again in the next turn, after it ran, is a new hold", async () => {
    desk.backend.turn(order(1));
    await desk.turn();
    desk.backend.turn(order(1, heldAs("R-2")));
    await desk.approve((await desk.pending())[0]!);
    await desk.until((event) => event.kind === "trigger_queued" && event.payload.kind === "outcome");
    await desk.runner.idle();
    expect(desk.witness.orders).toHaveLength(1);
    expect(await desk.pending()).toMatchObject([{ number: 2 }]);
  });
});

it("P6, P7: a repeat after a restart in its turn is told how it stands, also where it was decided meanwhile", async () => {
  desk.backend.turn(order(1, heldAs("R-1")), hangUntilAborted());
  await desk.triggers.send("majors", { text: "go" }, "ann");
  await desk.until((event) => event.kind === "tool_result");
  await desk.deny((await desk.pending())[0]!, "no");
  const backend = new ScriptedBackend("scripted").turn(order(1, heldAs("R-1 was denied by ann"))).turn();
  desk = await startAgain(desk, { backends: [backend] });
  await desk.recover();
  await desk.runner.idle();
  backend.assertDone();
  expect(await desk.pending()).toEqual([]);
});

describe("H4", () => {
  it("P13: deny never runs, the desk goes on with the outcome and the person's words", async () => {
    desk.backend.turn(order(1));
    await desk.turn();
    const [request] = await desk.pending();
    desk.backend.turn(say("I will not"));
    expect(await desk.deny(request!, "not at this price")).toMatchObject({
      state: "denied",
      decidedBy: "ann",
      note: "not at this price",
    });
    await desk.runner.idle();
    expect(desk.witness.orders).toEqual([]);
    expect(trigger(1)).toMatchObject({
      kind: "outcome",
      requestId: request?.id,
      text: 'Outcome of R-1 (place_order): denied by ann; it did not run. Words of ann, quoted: "not at this price".',
      data: { state: "denied", by: "ann", note: "not at this price", arguments: request?.arguments },
    });
  });

  it("P4: approve after the turn has ended runs it, and the desk goes on with the result", async () => {
    desk.backend.turn(order(1));
    const triggerId = await desk.turn();
    const [request] = await desk.pending();
    desk.backend.turn(say("done"));
    await desk.approve(request!);
    await desk.until((event) => event.kind === "turn_ended" && event.triggerId !== triggerId);
    expect(trigger(1).text).toBe(
      'Outcome of R-1 (place_order): approved by ann and run. Its result, quoted: "filled 1 EURUSD".',
    );
    const [held, run] = await desk.calls();
    expect(run).toMatchObject({ triggerId, requestId: request?.id, idempotencyKey: request?.id, status: "succeeded" });
    expect(run?.id).not.toBe(held?.id);
  });

  it("a chat message instead of a decision is answered while the hold still waits", async () => {
    desk.backend.turn(order(1));
    await desk.turn();
    desk.backend.turn(
      look((turn) =>
        expect(turn.pendingRequests).toMatchObject([{ label: "R-1", tool: "place_order", kind: "permission" }]),
      ),
      say("it still waits"),
    );
    await desk.turn("Outcome of R-1 (place_order): approved by ann and run.");
    expect(trigger(1)).toMatchObject({ kind: "message", from: "ann", requestId: null, data: {} });
    expect(await desk.pending()).toMatchObject([{ number: 1, state: "pending" }]);
    expect(desk.witness.orders).toEqual([]);
  });
});

describe("H10, P13: a stop", () => {
  it("cancels both holds of one reply; an approval from a stale view gets 409, and nothing runs", async () => {
    desk.backend.turn(together(order(1), order(2)), hangUntilAborted());
    await desk.triggers.send("majors", { text: "go" }, "ann");
    await desk.until((event) => event.kind === "user_request" && event.payload.number === 2);
    const stale = await desk.pending();
    const stopped = await desk.desks.stop("majors", false, "bob");
    expect(stopped.cancelled.toSorted()).toEqual(stale.map((request) => request.id).toSorted());
    for (const request of stale) {
      await expect(desk.approve(request)).rejects.toMatchObject({
        code: "already_decided",
        message: expect.stringMatching(/was cancelled by bob at 2026-.*; it did not run/) as string,
      });
    }
    await desk.runner.idle();
    await desk.executor.idle();
    expect(desk.witness.orders).toEqual([]);
    expect(await desk.calls()).toHaveLength(2);
  });

  it("cancels them also when the turn has ended", async () => {
    desk.backend.turn(together(order(1), order(2)));
    await desk.turn();
    expect((await desk.desks.stop("majors", false, "bob")).cancelled).toHaveLength(2);
    expect(await desk.pending()).toEqual([]);
  });

  it("wins over an approval that waits behind another run", async () => {
    const go = Promise.withResolvers<void>();
    desk.script.orders.push(async () => {
      await go.promise;
      return { text: "filled", isError: false, outcome: "done" };
    });
    desk.backend.turn(order(1), order(2));
    await desk.turn();
    const [first, second] = await desk.pending();
    await desk.approve(first!);
    await desk.until((event) => event.kind === "tool_call" && event.payload.requestId === first?.id);
    await desk.approve(second!);
    const { cancelled } = await desk.desks.stop("majors", true, "bob");
    expect(cancelled).toEqual([second?.id]);
    desk.backend.turn();
    go.resolve();
    await desk.executor.runApproved(second!.id);
    await desk.runner.idle();
    expect(desk.witness.orders).toEqual([]);
    expect(await desk.store.request(first!.id)).toMatchObject({ state: "completed" });
    expect(await desk.store.request(second!.id)).toMatchObject({ state: "cancelled", runCallId: null });
  });
});

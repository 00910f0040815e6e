import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { coolDownMs } from "#lib/core/model-router.ts";
import { backendFailureKindSchema } from "#lib/protocol/states.ts";
import { call, fail, fault, ScriptedBackend } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock, type ManualClock } from "#tests/support/manual-clock.ts";

let desk: TestDesk;
let clock: ManualClock;
let a: ScriptedBackend;
let b: ScriptedBackend;

beforeEach(async () => {
  clock = manualClock();
  a = new ScriptedBackend("a");
  b = new ScriptedBackend("b");
  desk = await openTestDesk({ clock, backends: [a, b] });
});

afterEach(async () => {
  a.assertDone();
  b.assertDone();
  await desk.remove();
});

const failures = async () =>
  (await desk.events()).flatMap((event) => (event.kind === "backend_failed" ? [event.payload] : []));
const lastTrigger = async () => (await desk.store.triggers({ order: "newest", limit: 1 }))[0]!;

describe("what people hear of a failure", () => {
  it.each(backendFailureKindSchema.options)(
    "%s: its kind, its words, what was completed, and who is next",
    async (kind) => {
      a.turn(call("cancel_orders", { ids: ["o1"] }), fail(kind, "words of the backend"));
      b.turn();
      const triggerId = await desk.turn();
      const [row] = await desk.calls();
      expect(await failures()).toEqual([
        {
          triggerId,
          attempt: 1,
          backend: "a",
          kind,
          message: "words of the backend",
          completed: [{ callId: row?.id, name: "cancel_orders" }],
          next: "b",
        },
      ]);
    },
  );

  it("any other error counts as a broken reply", async () => {
    a.turn(fault(new TypeError("x is not a function")));
    b.turn();
    await desk.turn();
    expect(await failures()).toMatchObject([{ kind: "broken_reply", message: "x is not a function" }]);
  });

  it("where all fail the turn fails, with words for the people", async () => {
    a.turn(fail("key_refused", "no key"));
    b.turn(fail("rate_limited", "slow down"));
    await desk.turn();
    expect((await failures()).map(({ next }) => next)).toEqual(["b", null]);
    const words = "no backend could do this turn (a: key_refused, no key; b: rate_limited, slow down)";
    expect(await lastTrigger()).toMatchObject({ state: "failed", endReason: words });
    const last = (await desk.events()).slice(-2).map((event) => event.payload);
    expect(last).toMatchObject([
      { from: "deskboard", text: `This turn failed: ${words}.` },
      { state: "failed", reason: words },
    ]);
  });

  it("a backend that is in no settings is unreachable, and the next takes over", async () => {
    await desk.store.commit({
      name: "desk",
      when: [],
      changes: [{ update: "desk", key: "majors", set: { backends: ["gone", "b"] } }],
      events: [],
    });
    b.turn();
    await desk.turn();
    expect(await failures()).toMatchObject([{ backend: "gone", kind: "unreachable", next: "b" }]);
  });
});

describe("M13: the cool-down", () => {
  /** Fails once with this wait, and gives for how long it is left alone. */
  async function coolsFor(retryAfterMs?: number): Promise<number> {
    a.turn(fail("rate_limited", "slow down", retryAfterMs));
    b.turn();
    await desk.turn();
    return desk.router.coolUntil("a") - clock.now();
  }

  it.each([
    [undefined, coolDownMs.standard],
    [0, 0],
    [-5_000, 0],
    [33_000, 33_000],
    [86_400_000, coolDownMs.most],
    [Number.NaN, coolDownMs.standard],
    [Number.POSITIVE_INFINITY, coolDownMs.most],
  ])("of %s ms is %i ms", async (given, waits) => {
    expect(await coolsFor(given)).toBe(waits);
  });

  it("leaves the backend alone, and goes back to it afterwards", async () => {
    const ms = await coolsFor(33_000);
    b.turn();
    await desk.turn();
    clock.advance(ms);
    a.turn();
    await desk.turn();
    expect([a.turns.length, b.turns.length]).toEqual([2, 2]);
  });

  it("of every backend at once tries them all the same", async () => {
    a.turn(fail("overloaded"));
    b.turn(fail("overloaded"));
    await desk.turn();
    a.turn();
    await desk.turn();
    expect([a.turns.length, b.turns.length]).toEqual([2, 1]);
  });
});

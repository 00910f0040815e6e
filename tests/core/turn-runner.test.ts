import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool, done } from "#lib/core/tool.ts";
import {
  call,
  hangForEver,
  hangUntilAborted,
  lateCall,
  look,
  say,
  ScriptedBackend,
} from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock, type ManualClock } from "#tests/support/manual-clock.ts";
import { testTools } from "#tests/support/test-tools.ts";
import { expectOneResultEach } from "./one-result.ts";
import { startAgain } from "./start-again.ts";

let desk: TestDesk;
let clock: ManualClock;
const slowRead = Promise.withResolvers<void>();

beforeEach(async () => {
  clock = manualClock();
  const slow = defineTool({
    name: "slow_read",
    description: "",
    effect: "read",
    parameters: z.strictObject({}),
    run: async () => {
      await slowRead.promise;
      return done("late");
    },
  });
  desk = await openTestDesk({ clock, tools: [...testTools().tools, slow] });
});

afterEach(async () => {
  await desk.backend.settled();
  desk.backend.assertDone();
  await expectOneResultEach(desk);
  await desk.remove();
});

const send = (text: string) => desk.triggers.send("majors", { text }, "ann");
const ended = async () =>
  (await desk.events()).flatMap((event) =>
    event.kind === "turn_ended" ? [`${event.payload.state} ${event.triggerId}`] : [],
  );
const started = (triggerId: string) =>
  desk.until((event) => event.kind === "turn_started" && event.triggerId === triggerId);
const triggerOf = async (id: string) => (await desk.store.trigger(id))!;

describe("turns of a desk", () => {
  it("come one at a time: people's before schedules, then the older first", async () => {
    const go = Promise.withResolvers<void>();
    const texts: string[] = [];
    let running = 0;
    const turn = look(async ({ trigger }) => {
      running += 1;
      expect(running).toBe(1);
      texts.push(trigger.text);
      if (trigger.text === "first") await go.promise;
      running -= 1;
    });
    for (let index = 0; index < 5; index += 1) desk.backend.turn(turn);
    await started(await send("first"));
    await desk.triggers.schedule("majors", "playbook", "schedule");
    for (const text of ["second", "third", "fourth"]) await send(text);
    go.resolve();
    await desk.runner.idle();
    expect(texts).toEqual(["first", "second", "third", "fourth", "schedule"]);
  });

  it("a schedule is not queued while an earlier one waits, or the desk is paused", async () => {
    await desk.desks.pause("majors", "ann");
    await desk.triggers.schedule("majors", "playbook", "while paused");
    await desk.desks.change("majors", { status: "active" }, "ann");
    const go = Promise.withResolvers<void>();
    desk.backend.turn({ label: "wait", run: () => go.promise }).turn();
    await started(await send("first"));
    await desk.triggers.schedule("majors", "playbook", "one");
    await desk.triggers.schedule("majors", "playbook", "two");
    go.resolve();
    await desk.runner.idle();
    expect(desk.backend.turns.map(({ trigger }) => trigger.text)).toEqual(["first", "one"]);
  });

  it("do not begin while the desk is paused, and go on when it is resumed", async () => {
    await desk.desks.pause("majors", "ann");
    await send("hello");
    await desk.runner.idle();
    expect(desk.backend.turns).toEqual([]);
    desk.backend.turn(say("here"));
    await desk.desks.change("majors", { status: "active" }, "ann");
    await desk.runner.idle();
    expect(desk.backend.turns).toHaveLength(1);
  });

  it("the same clientId is one message, another text with it is refused", async () => {
    desk.backend.turn();
    const message = { text: "hello", clientId: "c1" };
    const ids = await Promise.all([1, 2, 3].map(() => desk.triggers.send("majors", message, "ann")));
    expect(new Set(ids).size).toBe(1);
    await expect(desk.triggers.send("majors", { text: "other", clientId: "c1" }, "ann")).rejects.toMatchObject({
      code: "client_id_reused",
      details: { field: "clientId", given: "c1" },
    });
    await desk.runner.idle();
    expect(await desk.triggers.send("majors", message, "ann")).toBe(ids[0]);
    expect((await desk.events()).filter((event) => event.kind === "message")).toHaveLength(1);
  });
});

describe("P13: a stop", () => {
  it("ends a turn whose backend hangs for ever, and the desk goes on", async () => {
    desk.backend.turn(hangForEver()).turn(say("hello"));
    const one = await send("hang");
    await started(one);
    expect(await desk.desks.stop("majors", false, "bob")).toEqual({ stopped: [one], cancelled: [] });
    const two = await desk.turn("next");
    expect(await ended()).toEqual([`stopped ${one}`, `done ${two}`]);
    expect(await triggerOf(one)).toMatchObject({ state: "stopped", attemptOpen: false, endReason: "stopped by bob" });
  });

  it("refuses what the backend asks for later", async () => {
    desk.backend.turn(
      lateCall(
        "cancel_orders",
        { ids: ["o1"] },
        (answer) => answer.status === "refused" && answer.text.includes("attempt"),
      ),
      hangForEver(),
    );
    await started(await send("hang"));
    await desk.desks.stop("majors", false, "bob");
    await desk.backend.settled();
    await desk.runner.idle();
    expect(desk.witness.orders).toEqual([]);
  });

  it("ends a read that runs at once, and lets a write go on to its end before the next turn", async () => {
    const write = Promise.withResolvers<void>();
    const writing = Promise.withResolvers<void>();
    await desk.remove();
    desk = await openTestDesk({ clock });
    desk.script.orders.push(async () => {
      writing.resolve();
      await write.promise;
      return done("cancelled after all");
    });
    desk.backend
      .turn(
        call("cancel_orders", { ids: ["o1"] }, (answer) => answer.status === "succeeded"),
        hangForEver(),
      )
      .turn();
    await send("go");
    await writing.promise;
    await desk.desks.stop("majors", false, "bob");
    const two = await send("next");
    write.resolve();
    await desk.runner.idle();
    const kinds = (await desk.events()).map((event) => `${event.kind} ${event.triggerId === two ? "two" : "one"}`);
    expect(kinds.indexOf("tool_result one")).toBeLessThan(kinds.indexOf("turn_started two"));
  });

  it("a read that runs ends at once", async () => {
    desk.backend.turn(
      call("slow_read", {}, (answer) => answer.status === "failed" && answer.text === "slow_read was stopped"),
      hangForEver(),
    );
    await send("go");
    await desk.until((event) => event.kind === "tool_call");
    await desk.desks.stop("majors", false, "bob");
    await desk.runner.idle();
    expect((await desk.calls())[0]).toMatchObject({ status: "failed", outcome: "notDone" });
  });

  it("with all ends what is queued too, and cancels every request of the desk", async () => {
    desk.backend.turn(call("place_order", { symbol: "EURUSD", quantity: 1 }));
    await desk.turn();
    desk.backend.turn(call("place_order", { symbol: "EURUSD", quantity: 2 }), hangUntilAborted());
    const running = await send("two");
    await desk.until((event) => event.kind === "user_request" && event.payload.number === 2);
    const queued = [await send("three"), await send("four")];
    const { stopped, cancelled } = await desk.desks.stop("majors", true, "bob");
    expect(stopped.toSorted()).toEqual([running, ...queued].toSorted());
    expect(cancelled).toHaveLength(2);
    await desk.runner.idle();
    expect(await desk.pending()).toEqual([]);
    expect(desk.backend.turns).toHaveLength(2);
  });

  it("of an ended turn means the one that ran last, also where an older trigger ran behind it", async () => {
    const go = Promise.withResolvers<void>();
    desk.backend.turn({ label: "wait", run: () => go.promise });
    await started(await send("first"));
    await desk.triggers.schedule("majors", "playbook", "older, and later");
    await send("newer, and sooner");
    desk.backend.turn(look(() => clock.advance(1))).turn(call("place_order", { symbol: "EURUSD", quantity: 1 }));
    clock.advance(1);
    go.resolve();
    await desk.runner.idle();
    expect((await desk.desks.stop("majors", false, "bob")).cancelled).toHaveLength(1);
  });

  it("where nothing ever ran stops nothing", async () => {
    expect(await desk.desks.stop("majors", false, "bob")).toEqual({ stopped: [], cancelled: [] });
    expect(await desk.desks.stop("majors", true, "bob")).toEqual({ stopped: [], cancelled: [] });
  });
});

describe("caps", () => {
  it("of minutes end the turn as failed, with words for the people and one card", async () => {
    const begun = Promise.withResolvers<void>();
    desk.backend.turn(
      look(() => begun.resolve()),
      hangForEver(),
    );
    desk.backend.turn(say("hello"));
    const one = await send("hang");
    await begun.promise;
    clock.advance(30 * 60_000);
    await desk.runner.idle();
    expect(await ended()).toEqual([`failed ${one}`]);
    expect(await desk.store.desk("majors")).toMatchObject({
      capReached: { cap: "minutesPerTurn", limit: 30, triggerId: one },
    });
    const words = (await desk.events()).flatMap((event) =>
      event.kind === "message" && event.payload.from === "deskboard" ? [event.payload.text] : [],
    );
    expect(words).toEqual(["This turn failed: the turn took longer than its cap of 30 minutes."]);
    await desk.turn("still there?");
  });

  it("of queued triggers refuse the message, and say so", async () => {
    await desk.desks.change("majors", { caps: { queuedTriggers: 1 } }, "ann");
    await desk.desks.pause("majors", "ann");
    await send("one");
    await expect(send("two")).rejects.toMatchObject({
      code: "too_many",
      details: { limit: "at most 1 queued triggers", given: "2" },
    });
    expect(await desk.store.desk("majors")).toMatchObject({ capReached: { cap: "queuedTriggers", limit: 1 } });
  });
});

it("P6: a turn that is interrupted again and again is run three times, each primed, and fails then", async () => {
  const begun: unknown[] = [];
  for (let run = 1; run <= 3; run += 1) {
    const backend = run === 1 ? desk.backend : new ScriptedBackend("scripted");
    const asked = Promise.withResolvers<void>();
    backend.turn(
      look((turn) => expect(turn.completedCalls.map(({ name }) => name)).toEqual(run === 1 ? [] : ["cancel_orders"])),
      call("cancel_orders", { ids: ["o1"] }, (answer) => answer.status === (run === 1 ? "succeeded" : "refused")),
      look(() => asked.resolve()),
      hangUntilAborted(),
    );
    begun.push(await (run === 1 ? send("go") : restart(backend)));
    await asked.promise;
  }
  const again = { turnsAgain: 1, turnsFailed: 0, uncertainCalls: 0, failedReads: 0 };
  expect(begun.slice(1)).toEqual([again, again]);
  expect(await restart(new ScriptedBackend("scripted"))).toMatchObject({ turnsAgain: 0, turnsFailed: 1 });
  await desk.runner.idle();
  const [trigger] = await desk.store.triggers({ order: "newest", limit: 1 });
  expect(trigger).toMatchObject({
    state: "failed",
    runs: 3,
    endReason: expect.stringContaining("interrupted 3 times") as string,
  });
  expect((await desk.calls()).filter((row) => row.status === "succeeded")).toHaveLength(1);
});

/** Ends the process in the middle of its turn, and starts on the same record again. */
async function restart(backend: ScriptedBackend): Promise<unknown> {
  desk = await startAgain(desk, { backends: [backend] });
  return desk.recover();
}

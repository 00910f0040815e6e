import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallAnswer } from "#lib/core/ports/backend.ts";
import { done, type ToolResult } from "#lib/core/tool.ts";
import {
  call,
  fail,
  hangForEver,
  lateCall,
  look,
  say,
  ScriptedBackend,
  startCall,
  waitFor,
  type Step,
} from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock, type ManualClock } from "#tests/support/manual-clock.ts";
import { expectOneResultEach } from "./one-result.ts";
import { addRule } from "./rules.ts";

let desk: TestDesk;
let clock: ManualClock;
let a: ScriptedBackend;
let b: ScriptedBackend;

beforeEach(async () => {
  clock = manualClock();
  a = new ScriptedBackend("a");
  b = new ScriptedBackend("b");
  desk = await openTestDesk({ clock, backends: [a, b] });
  await addRule(desk.store, "allow", { tool: "cancel_orders" });
});

afterEach(async () => {
  await a.settled();
  await b.settled();
  a.assertDone();
  b.assertDone();
  await expectOneResultEach(desk);
  await desk.remove();
});

const status = (wanted: string) => (answer: CallAnswer) => {
  expect(answer.status).toBe(wanted);
};
const repeat = (text: string) => (answer: CallAnswer) => {
  expect(answer.status).toBe("refused");
  expect(answer.text).toContain(text);
};
const quote = (expected = status("succeeded")) => call("get_quote", { symbol: "EURUSD" }, expected);
const cancel = (id: string, expected = status("succeeded")) => call("cancel_orders", { ids: [id] }, expected);
const order = (quantity: unknown, expected = status("held")) =>
  call("place_order", { symbol: "EURUSD", quantity }, expected);
const option = (label: string) => ({ label, description: "x" });
const question = {
  question: "Which stop?",
  header: "Stop",
  multiSelect: false,
  options: [option("Tight"), option("Wide")],
};
const ask = (expected = status("succeeded")) => call("ask_user", { questions: [question] }, expected);

const failures = async () =>
  (await desk.events()).flatMap((event) => (event.kind === "backend_failed" ? [event.payload] : []));
const lastTrigger = async () => (await desk.store.triggers({ order: "newest", limit: 1 }))[0]!;

describe("P3, P8: a backend that fails", () => {
  const points: { at: string; did: Step[]; sees: string[]; after: Step[] }[] = [
    { at: "before anything", did: [], sees: [], after: [quote(), cancel("o1")] },
    { at: "after a read ran", did: [quote()], sees: ["get_quote"], after: [quote(), cancel("o1")] },
    {
      at: "after a write ran",
      did: [quote(), cancel("o1")],
      sees: ["get_quote", "cancel_orders"],
      after: [cancel("o1", repeat("Its result was: cancelled")), cancel("o2", status("held")), order(1)],
    },
    { at: "after a call was refused", did: [call("nothing"), quote()], sees: ["get_quote"], after: [cancel("o1")] },
    {
      at: "after a hold",
      did: [order(1)],
      sees: ["place_order"],
      after: [
        order("1.0", (answer) =>
          expect(answer).toMatchObject({ status: "held", text: expect.stringContaining("R-1 waits") as string }),
        ),
        order(2),
        cancel("o1"),
      ],
    },
    {
      at: "after a question",
      did: [ask()],
      sees: ["ask_user"],
      after: [
        ask((answer) =>
          expect(answer).toMatchObject({ status: "held", text: expect.stringContaining("R-1 waits") as string }),
        ),
        call("ask_user", { questions: [{ ...question, question: "When?" }] }, status("succeeded")),
        cancel("o1"),
      ],
    },
  ];

  it.each(points)("$at: the next sees what was completed, and repeats none of it", async ({ did, sees, after }) => {
    a.turn(...did, fail("overloaded"));
    b.turn(
      look((turn) => {
        expect(turn.attempt).toBe(2);
        expect(turn.completedCalls.map(({ name }) => name)).toEqual(sees);
      }),
      ...after,
    );
    await desk.turn();
    expect((await failures())[0]?.completed.map(({ name }) => name)).toEqual(sees);
    expect(await lastTrigger()).toMatchObject({ state: "done", attempt: 2, backend: "b" });
  });

  it("without a failure, writes of one tool run one after the other as the rules allow", async () => {
    a.turn(cancel("o1"), cancel("o2"), cancel("o3"));
    await desk.turn();
    expect(desk.witness.orders).toHaveLength(3);
  });

  it("another write of a tool that completed is held with both shown, whatever the rules allow", async () => {
    a.turn(cancel("o1"), fail("silent"));
    b.turn(cancel("o2", status("held")));
    await desk.turn();
    const [request] = await desk.pending();
    expect(request).toMatchObject({ arguments: '{"ids":["o2"]}' });
    expect(request?.reason).toContain('{"ids":["o1"]} gave "cancelled"');
    // And once a person has approved it, it runs.
    b.turn(say("good"));
    await desk.approve(request!);
    await desk.until((event) => event.kind === "trigger_queued" && event.payload.kind === "outcome");
    await desk.runner.idle();
    expect(desk.witness.orders).toHaveLength(2);
  });

  it("a third backend sees what both did, and is held for both", async () => {
    const c = new ScriptedBackend("c");
    await desk.remove();
    desk = await openTestDesk({ clock, backends: [a, b, c] });
    a.turn(cancel("o1"), fail("silent"));
    b.turn(quote(), order(1), fail("silent"));
    c.turn(
      look((turn) =>
        expect(turn.completedCalls.map(({ name }) => name)).toEqual(["cancel_orders", "get_quote", "place_order"]),
      ),
      cancel("o1", status("refused")),
      order(1),
    );
    await desk.turn();
    c.assertDone();
    expect(await desk.pending()).toHaveLength(1);
  });
});

describe("P3, P8: with a tool still running", () => {
  function hanging(): { started: Promise<void>; finish: (result: ToolResult) => void } {
    const started = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<ToolResult>();
    desk.script.orders.push(() => {
      started.resolve();
      return finished.promise;
    });
    return { started: started.promise, finish: finished.resolve };
  }

  it("the next begins only when its result is there, and sees it", async () => {
    const write = hanging();
    const closed = Promise.withResolvers<void>();
    a.turn(
      look((turn) => turn.signal.addEventListener("abort", () => closed.resolve())),
      startCall("cancel_orders", { ids: ["o1"] }, status("succeeded")),
      waitFor(write.started),
      fail("broken_stream"),
    );
    b.turn(
      look((turn) =>
        expect(turn.completedCalls).toMatchObject([{ name: "cancel_orders", resultText: "late but done" }]),
      ),
      cancel("o1", repeat("late but done")),
    );
    await desk.triggers.send("majors", { text: "go" }, "ann");
    await closed.promise;
    // Whatever the router writes now would be written before these.
    for (let unit = 0; unit < 3; unit += 1) await addRule(desk.store, "allow", { tool: "nothing" });
    expect(b.turns).toEqual([]);
    expect(await failures()).toEqual([]);
    write.finish(done("late but done"));
    await desk.runner.idle();
    expect(await failures()).toMatchObject([{ kind: "broken_stream", completed: [{ name: "cancel_orders" }] }]);
  });

  it("M14: that times out the next sees it as uncertain, and a write of that tool is held", async () => {
    const write = hanging();
    a.turn(
      startCall("cancel_orders", { ids: ["o1"] }, status("uncertain")),
      waitFor(write.started),
      fail("overloaded"),
    );
    b.turn(cancel("o1", repeat("timed out")), cancel("o2", status("held")));
    await desk.triggers.send("majors", { text: "go" }, "ann");
    await write.started;
    clock.advance(30_000);
    await desk.runner.idle();
    expect((await desk.pending()).map(({ kind }) => kind)).toEqual(["uncertain", "permission"]);
    write.finish(done("late"));
    b.turn(say("I see"));
    await desk.until((event) => event.kind === "user_request_changed" && event.payload.to === "settled");
    await desk.runner.idle();
  });

  it("a stop while the next is waited for ends the turn: the next does not begin", async () => {
    const write = hanging();
    a.turn(
      startCall("cancel_orders", { ids: ["o1"] }, status("succeeded")),
      waitFor(write.started),
      fail("overloaded"),
    );
    await desk.triggers.send("majors", { text: "go" }, "ann");
    await write.started;
    await desk.desks.stop("majors", false, "bob");
    write.finish(done("done"));
    await desk.runner.idle();
    expect(b.turns).toEqual([]);
    expect(await lastTrigger()).toMatchObject({ state: "stopped" });
  });

  it("calls that come after the attempt was closed are refused, and recorded", async () => {
    const inB = Promise.withResolvers<void>();
    const refused = (answer: CallAnswer) =>
      expect(answer).toMatchObject({ status: "refused", text: expect.stringContaining("attempt") as string });
    a.turn(
      lateCall("cancel_orders", { ids: ["at once"] }, refused),
      lateCall("cancel_orders", { ids: ["while b runs"] }, refused, inB.promise),
      lateCall("ask_user", { questions: [question] }, refused, inB.promise),
      look((turn) => turn.signal.addEventListener("abort", () => void turn.say("too late"))),
      fail("silent"),
    );
    b.turn(
      look(() => inB.resolve()),
      look(() => a.settled()),
      cancel("o1"),
    );
    await desk.turn();
    expect(desk.witness.orders).toHaveLength(1);
    expect((await desk.events()).filter((event) => event.kind === "message" && event.payload.from === "desk")).toEqual(
      [],
    );
  });
});

it("P13: a stop of a turn whose second backend hangs for ever ends it", async () => {
  const begun = Promise.withResolvers<void>();
  a.turn(fail("silent"));
  b.turn(
    look(() => begun.resolve()),
    hangForEver(),
  );
  await desk.triggers.send("majors", { text: "go" }, "ann");
  await begun.promise;
  await desk.desks.stop("majors", false, "bob");
  await desk.runner.idle();
  expect(await lastTrigger()).toMatchObject({ state: "stopped", attempt: 2 });
});

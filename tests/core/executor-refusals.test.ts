import { afterEach, describe, expect, it } from "vitest";
import type { CallAnswer } from "#lib/core/ports/backend.ts";
import { call, hangUntilAborted, look, startCall, waitFor, type Step } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk, type TestDeskOptions } from "#tests/support/desk.ts";
import { expectOneResultEach } from "./one-result.ts";
import { addRule, removeRule } from "./rules.ts";

let desk: TestDesk;

async function open(options: TestDeskOptions = {}): Promise<TestDesk> {
  desk = await openTestDesk(options);
  return desk;
}

afterEach(async () => {
  await desk.backend.settled();
  desk.backend.assertDone();
  await expectOneResultEach(desk);
  await desk.remove();
});

const cancel = (id: string, expected?: (answer: CallAnswer) => unknown) =>
  call("cancel_orders", { ids: [id] }, expected);
const refused = (words: RegExp) => (answer: CallAnswer) => {
  expect(answer).toMatchObject({ status: "refused", isError: true, outcome: "notDone" });
  expect(answer.text).toMatch(words);
};
const succeeded = (answer: CallAnswer) => answer.status === "succeeded";

describe("a call is refused, recorded, and starts nothing", () => {
  it("P13: while the desk is paused, and runs again after a person resumed it", async () => {
    await open();
    desk.backend.turn(
      look(() => desk.desks.pause("majors", "ann")),
      cancel("o1", refused(/desk is paused/)),
      call("get_quote", { symbol: "EURUSD" }, refused(/desk is paused/)),
      call("place_order", { symbol: "EURUSD", quantity: "1" }, refused(/desk is paused/)),
      call("ask_user", { questions: [] }, (answer) => answer.status === "refused"),
      look(() => desk.desks.change("majors", { status: "active" }, "ann")),
      cancel("o1", succeeded),
    );
    await desk.turn();
    expect(desk.witness).toMatchObject({ reads: [], orders: [{ symbol: "CANCEL" }] });
    expect(await desk.pending()).toEqual([]);
  });

  it("P3: after its turn has ended, for another attempt, and for a turn that never was", async () => {
    await open();
    desk.backend.turn(cancel("o1", succeeded));
    const triggerId = await desk.turn();
    const execute = (handle: { triggerId: string; attempt: number }) =>
      desk.executor.execute({ ...handle, backend: "scripted" }, { name: "cancel_orders", arguments: { ids: ["o2"] } });
    for (const handle of [
      { triggerId, attempt: 1 },
      { triggerId, attempt: 2 },
      { triggerId: "01NEVER", attempt: 1 },
    ]) {
      refused(/attempt of the turn is over/)(await execute(handle));
    }
    expect(desk.witness.orders).toHaveLength(1);
    expect(desk.executor.completedCalls(triggerId)).toHaveLength(1);
  });

  it("P13: once its turn was stopped, also by a backend that goes on", async () => {
    await open();
    const stopped = Promise.withResolvers<void>();
    desk.backend.turn(
      hangUntilAborted(),
      cancel("o1", refused(/attempt of the turn is over/)),
      look(() => stopped.resolve()),
    );
    await desk.triggers.send("majors", { text: "go" }, "ann");
    await desk.until((event) => event.kind === "turn_started");
    await desk.desks.stop("majors", false, "ann");
    await stopped.promise;
    expect(desk.witness.orders).toEqual([]);
  });

  it("P14: of an unknown tool, whatever its name is", async () => {
    await open();
    const names: unknown[] = [
      "",
      "Get_Quote",
      "get_quote ",
      "__proto__",
      "constructor",
      7,
      null,
      undefined,
      {},
      "x".repeat(5000),
    ];
    desk.backend.turn(
      ...names.map((name): Step => ({
        label: `call ${String(name)}`,
        async run(turn) {
          refused(/There is no tool .*get_quote, place_order, cancel_orders, list_positions, ask_user/)(
            await turn.call({ name: name as string }),
          );
        },
      })),
    );
    await desk.turn();
    expect((await desk.calls()).every((row) => row.name.length <= 200)).toBe(true);
  });

  it("P14: with arguments that are not JSON: no kind of them makes it throw", async () => {
    await open();
    const self: Record<string, unknown> = { symbol: "EURUSD" };
    self["note"] = self;
    let deep: unknown = "x";
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    const throwing = {
      get symbol(): string {
        throw new Error("no");
      },
    };
    const givens = [self, { symbol: 10n }, { symbol: deep }, { symbol: Number.NaN }, () => {}, throwing, Symbol("x")];
    desk.backend.turn(...givens.map((given) => call("get_quote", given, refused(/not valid, and nothing was run/))));
    await desk.turn();
    expect(desk.witness.reads).toEqual([]);
  });
});

describe("a deny rule", () => {
  it("P10: refuses the call, names itself, and the guard does not count the call", async () => {
    await open();
    const allow = await addRule(desk.store, "allow");
    const deny = await addRule(desk.store, "deny", { tool: "cancel_orders", note: "not today" });
    desk.backend.turn(
      cancel("o1", (answer) => {
        expect(answer).toMatchObject({ status: "denied", isError: true, outcome: "notDone", requestId: null });
        expect(answer.text).toMatch(new RegExp(`${deny}: deny cancel_orders.*"not today"`));
      }),
      cancel("o1", (answer) => answer.status === "denied"),
      look(() => removeRule(desk.store, deny)),
      cancel("o1", succeeded),
      cancel("o1", refused(/already, and a write runs once/)),
    );
    const triggerId = await desk.turn();
    expect(desk.executor.completedCalls(triggerId)).toHaveLength(1);
    const rows = await desk.calls();
    expect(rows[0]).toMatchObject({
      status: "denied",
      verdict: "deny",
      verdictReason: expect.stringContaining(deny) as string,
    });
    expect(rows[2]).toMatchObject({ verdict: "allow", verdictReason: expect.stringContaining(allow) as string });
  });
});

describe("a cap", () => {
  it("of calls a turn gives an error result, refused calls counted, and one card", async () => {
    await open({ caps: { callsPerTurn: 3 } });
    desk.backend.turn(
      call("nothing"),
      cancel("o1", succeeded),
      call("get_quote", { symbol: "EURUSD" }, succeeded),
      cancel("o2", refused(/cap callsPerTurn: at most 3, this would be 4/)),
      call("get_quote", { symbol: "EURUSD" }, refused(/this would be 5/)),
    );
    const triggerId = await desk.turn();
    expect(await desk.store.desk("majors")).toMatchObject({
      status: "active",
      capReached: { cap: "callsPerTurn", limit: 3, triggerId },
    });
    const cards = (await desk.events()).filter((event) => event.kind === "desk_changed" && event.payload.capReached);
    expect(cards).toHaveLength(1);
    desk.backend.turn(cancel("o2", succeeded));
    await desk.turn();
  });

  it("of pending requests gives an error result, and one card; it opens again with a decision", async () => {
    await open({ caps: { pendingRequests: 1 } });
    const order = (quantity: number, expected: (answer: CallAnswer) => unknown) =>
      call("place_order", { symbol: "EURUSD", quantity }, expected);
    desk.backend.turn(
      order(1, (answer) => answer.status === "held"),
      order(2, refused(/cap pendingRequests: at most 1, this would be 2/)),
      order(3, refused(/cap pendingRequests/)),
      order(1, (answer) => answer.status === "held"),
    );
    await desk.turn();
    expect(await desk.pending()).toHaveLength(1);
    const cards = (await desk.events()).filter((event) => event.kind === "desk_changed" && event.payload.capReached);
    expect(cards).toHaveLength(1);
    const [waiting] = await desk.pending();
    desk.backend.turn(order(2, (answer) => answer.status === "held"));
    await desk.deny(waiting!);
    await desk.runner.idle();
    expect(await desk.pending()).toHaveLength(1);
  });

  it("of model requests says no from the next on, with one card", async () => {
    await open({ caps: { modelRequestsPerTurn: 2 } });
    const counts: boolean[] = [];
    desk.backend.turn(
      look(async (turn) => {
        for (let request = 0; request < 4; request += 1) counts.push(await turn.countModelRequest());
      }),
    );
    await desk.turn();
    expect(counts).toEqual([true, true, false, false]);
    expect(await desk.store.desk("majors")).toMatchObject({ capReached: { cap: "modelRequestsPerTurn", limit: 2 } });
    const cards = (await desk.events()).filter((event) => event.kind === "desk_changed" && event.payload.capReached);
    expect(cards).toHaveLength(1);
  });

  it("is taken away by whoever pauses the desk, or lets it go on", async () => {
    await open({ caps: { callsPerTurn: 1 } });
    desk.backend.turn(cancel("o1"), cancel("o2"));
    await desk.turn();
    expect(await desk.desks.pause("majors", "ann")).toMatchObject({ status: "paused", capReached: null });
  });
});

describe("a call that was asked for and not waited for", () => {
  it("P3: has its answer before the turn ends", async () => {
    await open();
    const go = Promise.withResolvers<void>();
    desk.script.orders.push(async () => {
      await go.promise;
      return { text: "late but done", isError: false, outcome: "done" };
    });
    desk.backend.turn(startCall("cancel_orders", { ids: ["o1"] }, succeeded), waitFor(Promise.resolve()));
    await desk.triggers.send("majors", { text: "go" }, "ann");
    await desk.until((event) => event.kind === "tool_call");
    go.resolve();
    await desk.runner.idle();
    expect((await desk.events()).map((event) => event.kind).slice(-2)).toEqual(["tool_result", "turn_ended"]);
  });
});

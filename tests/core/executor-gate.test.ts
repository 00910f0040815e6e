import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { LoopGuard } from "#lib/core/loop-guard.ts";
import type { CallAnswer } from "#lib/core/ports/backend.ts";
import type { Unit } from "#lib/core/ports/unit.ts";
import { ToolCallExecutor } from "#lib/core/tool-call-executor.ts";
import { ToolRegistry } from "#lib/core/tool-registry.ts";
import { defineTool, done, type Tool, type ToolSpec } from "#lib/core/tool.ts";
import { call, look, startCall, together } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock } from "#tests/support/manual-clock.ts";
import { testTools } from "#tests/support/test-tools.ts";
import { faultyStore } from "./faulty-store.ts";
import { expectOneResultEach } from "./one-result.ts";
import { addRule } from "./rules.ts";

let desk: TestDesk;

afterEach(async () => {
  await desk.backend.settled();
  desk.backend.assertDone();
  await expectOneResultEach(desk);
  await desk.remove();
});

const parameters = z.strictObject({ amount: z.number().default(1), note: z.string().optional() });
type Spec = ToolSpec<typeof parameters>;

/** A write that is allowed by default and counts its runs. */
function tool(changes: Partial<Spec> = {}): { tool: Tool; runs: number[] } {
  const runs: number[] = [];
  const spec: Spec = {
    name: "transfer",
    description: "Moves money",
    effect: "write",
    defaultVerdict: "allow",
    parameters,
    run: async ({ amount }) => {
      runs.push(amount);
      return done(`moved ${amount}`);
    },
    ...changes,
  };
  return { tool: defineTool(spec), runs };
}

const held = (answer: CallAnswer) => {
  expect(answer).toMatchObject({ status: "held", isError: false, outcome: "notDone" });
  expect(answer.requestId).not.toBeNull();
};
const never = () => new Promise<never>(() => {});

describe("P10: a call whose facts are not known is held, whatever is allowed", () => {
  it("where they do not come in time", async () => {
    const clock = manualClock();
    const asked = Promise.withResolvers<AbortSignal>();
    const { tool: transfer, runs } = tool({
      facts: (_args, { signal }) => {
        asked.resolve(signal);
        return never();
      },
    });
    desk = await openTestDesk({ clock, tools: [transfer] });
    await addRule(desk.store, "allow");
    desk.backend.turn(call("transfer", {}, held));
    await desk.triggers.send("majors", { text: "go" }, "ann");
    const signal = await asked.promise;
    clock.advance(1_999);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    expect(signal.aborted).toBe(true);
    await desk.runner.idle();
    expect(runs).toEqual([]);
    expect(await desk.pending()).toMatchObject([
      { facts: null, reason: expect.stringContaining("could not say") as string },
    ]);
  });

  const broken: [string, Spec["facts"]][] = [
    ["throw", () => Promise.reject(new Error("no price"))],
    [
      "throw at once",
      () => {
        throw new Error("no price");
      },
    ],
    ["are not JSON", async () => ({ big: 10n }) as never],
    ["are nothing", async () => undefined as never],
    ["are a list", async () => [] as never],
    ["are a number that JSON does not have", async () => ({ ratio: Number.NaN })],
  ];
  it.each(broken)("where they %s", async (_, facts) => {
    const { tool: transfer, runs } = tool({ facts: facts! });
    desk = await openTestDesk({ tools: [transfer] });
    desk.backend.turn(call("transfer", {}, held));
    await desk.turn();
    expect(runs).toEqual([]);
    expect(await desk.pending()).toHaveLength(1);
  });

  it("and a read too", async () => {
    const { tool: transfer, runs } = tool({ effect: "read", facts: () => Promise.reject(new Error("no")) });
    desk = await openTestDesk({ tools: [transfer] });
    desk.backend.turn(call("transfer", {}, held));
    await desk.turn();
    expect(runs).toEqual([]);
  });
});

describe("a hold's ticket", () => {
  it("that does not come in time leaves the card without one", async () => {
    const clock = manualClock();
    const asked = Promise.withResolvers<void>();
    const { tool: transfer } = tool({
      defaultVerdict: "hold",
      ticket: () => {
        asked.resolve();
        return never();
      },
    });
    desk = await openTestDesk({ clock, tools: [transfer] });
    desk.backend.turn(call("transfer", {}, held));
    await desk.triggers.send("majors", { text: "go" }, "ann");
    await asked.promise;
    clock.advance(2_000);
    await desk.runner.idle();
    expect(await desk.pending()).toMatchObject([{ ticket: null, state: "pending" }]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("no"))],
    ["is not JSON", async () => ({ headline: 10n }) as never],
    ["is no ticket", async () => ({ headline: 7, rows: "x" }) as never],
    ["is nothing", async () => undefined as never],
  ])("that %s leaves the card without one", async (_, ticket) => {
    const { tool: transfer } = tool({ defaultVerdict: "hold", ticket });
    desk = await openTestDesk({ tools: [transfer] });
    desk.backend.turn(call("transfer", {}, held));
    await desk.turn();
    expect(await desk.pending()).toMatchObject([{ ticket: null, tool: "transfer" }]);
  });
});

describe("rules that change while a call is judged", () => {
  it("P10: a deny that comes before the call's commit wins", async () => {
    const { faults, store } = faultyStore();
    const { tool: transfer, runs } = tool();
    desk = await openTestDesk({ tools: [transfer], store });
    let told = false;
    faults.before = async (unit: Unit, real) => {
      if (unit.name !== "call" || told) return;
      told = true;
      await addRule(real, "deny");
    };
    desk.backend.turn(call("transfer", {}, (answer) => answer.status === "denied"));
    await desk.turn();
    expect(runs).toEqual([]);
  });

  it("again and again refuse it at last, and nothing has run", async () => {
    const { faults, store } = faultyStore();
    const { tool: transfer, runs } = tool();
    desk = await openTestDesk({ tools: [transfer], store });
    faults.before = async (unit: Unit, real) => {
      if (unit.name === "call") await addRule(real, "allow");
    };
    desk.backend.turn(
      call("transfer", {}, (answer) => answer.status === "refused"),
      look(() => {
        faults.before = null;
      }),
      call("transfer", {}, (answer) => answer.status === "succeeded"),
    );
    await desk.turn();
    expect(runs).toEqual([1]);
  });

  it("P13: a pause that comes before the call's commit wins", async () => {
    const { faults, store } = faultyStore();
    const { tool: transfer, runs } = tool();
    desk = await openTestDesk({ tools: [transfer], store });
    faults.before = async (unit: Unit) => {
      if (unit.name === "call") await desk.desks.pause("majors", "ann");
    };
    desk.backend.turn(call("transfer", {}, (answer) => answer.status === "refused"));
    await desk.turn();
    expect(runs).toEqual([]);
  });
});

it("P13: pause and stop do not wait for a tool that computes its facts", async () => {
  const clock = manualClock();
  const asked = Promise.withResolvers<void>();
  const { tool: transfer, runs } = tool({
    facts: () => {
      asked.resolve();
      return never();
    },
  });
  desk = await openTestDesk({ clock, tools: [transfer] });
  desk.backend.turn(startCall("transfer", {}, (answer) => answer.status === "refused"));
  await desk.triggers.send("majors", { text: "go" }, "ann");
  await asked.promise;
  await desk.desks.pause("majors", "ann");
  await desk.desks.stop("majors", true, "ann");
  clock.advance(2_000);
  await desk.runner.idle();
  expect(runs).toEqual([]);
  expect(await desk.pending()).toEqual([]);
});

it("P10: without a gate, every write is held, also one that is allowed by default", async () => {
  desk = await openTestDesk();
  const { tools } = testTools();
  const bare = new ToolCallExecutor("majors", new ToolRegistry(tools), desk.bus, new LoopGuard(), null, desk.deps);
  desk.backend.turn(
    look(async (turn) => {
      const handle = { triggerId: turn.trigger.id, attempt: turn.attempt, backend: "scripted" };
      bare.startTurn(handle);
      held(await bare.execute(handle, { name: "cancel_orders", arguments: { ids: ["o1"] } }));
      expect(await bare.execute(handle, { name: "get_quote", arguments: { symbol: "EURUSD" } })).toMatchObject({
        status: "succeeded",
      });
    }),
  );
  await desk.turn();
});

it("P7, G1: one call however it is spelled, and a list the other way round is another", async () => {
  const list = defineTool({
    name: "close_all",
    description: "",
    effect: "write",
    defaultVerdict: "allow",
    parameters: z.strictObject({ symbols: z.array(z.string()) }),
    run: async () => done("closed"),
  });
  desk = await openTestDesk({ tools: [...testTools().tools, list] });
  await addRule(desk.store, "allow", { tool: "place_order" });
  const refused = (answer: CallAnswer) => {
    expect(answer.status).toBe("refused");
    expect(answer.text).toContain("filled 1 AAPL");
  };
  desk.backend.turn(
    call("place_order", { symbol: "AAPL", quantity: 1 }, (answer) => answer.status === "succeeded"),
    ...[
      '{"quantity":1.0,"symbol":"AAPL"}',
      '{"symbol":"AAPL","quantity":"1"}',
      '{ "symbol" : " AAPL ",\n "quantity" : "+01.00" }',
      '{"orderType":"market","quantity":1,"symbol":"AAPL"}',
      '{"symbol":"AAPL","quantity":1,"note":"another note"}',
    ].map((text) => call("place_order", JSON.parse(text), refused)),
    call("place_order", { symbol: "AAPL", quantity: 1, orderType: "limit" }, (answer) => answer.status === "succeeded"),
    together(
      call("close_all", { symbols: ["a", "b"] }, (answer) => answer.status === "succeeded"),
      call("close_all", { symbols: ["b", "a"] }, (answer) => answer.status === "succeeded"),
    ),
    call("close_all", { symbols: ["a", "b"] }, (answer) => answer.status === "refused"),
  );
  await desk.turn();
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { RequestRow } from "#lib/core/record.ts";
import { defineTool, done, type Tool } from "#lib/core/tool.ts";
import { call, say, ScriptedBackend } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock, type ManualClock } from "#tests/support/manual-clock.ts";
import { expectOneResultEach } from "./one-result.ts";
import { faultyStore, type Faults } from "./faulty-store.ts";
import { addRule, removeRule } from "./rules.ts";
import { startAgain } from "./start-again.ts";

let desk: TestDesk;
let clock: ManualClock;
let faults: Faults;
/** What ran, in order: the quantities. */
let ran: string[];
/** Each run of the tool waits for this. */
let gate: Promise<void>;

/** `place_order` as a test wants it defined. */
function placeOrder(description: string): Tool {
  return defineTool({
    name: "place_order",
    description,
    effect: "write",
    parameters: z.strictObject({ quantity: z.string() }),
    run: async ({ quantity }) => {
      await gate;
      ran.push(quantity);
      return done(`filled ${quantity}`);
    },
  });
}

beforeEach(async () => {
  clock = manualClock();
  ran = [];
  gate = Promise.resolve();
  const faulty = faultyStore();
  faults = faulty.faults;
  desk = await openTestDesk({ clock, tools: [placeOrder("orders")], store: faulty.store });
});

afterEach(async () => {
  desk.backend.assertDone();
  await expectOneResultEach(desk);
  await desk.remove();
});

/** Holds of these quantities, oldest first. */
async function hold(...quantities: string[]): Promise<RequestRow[]> {
  desk.backend.turn(...quantities.map((quantity) => call("place_order", { quantity })));
  await desk.turn();
  return desk.pending();
}

/** Waits for so many outcomes, each of which the desk answers. */
async function outcomes(count: number): Promise<string[]> {
  let seen = 0;
  const texts: string[] = [];
  await desk.until((event) => {
    if (
      event.kind === "trigger_queued" &&
      event.payload.kind === "outcome" &&
      !texts.includes(event.payload.triggerId)
    ) {
      texts.push(event.payload.triggerId);
      seen += 1;
    }
    return seen >= count;
  });
  await desk.runner.idle();
  return desk.backend.turns.flatMap(({ trigger }) => (trigger.kind === "outcome" ? [trigger.text] : []));
}

const stateOf = async (request: RequestRow) => (await desk.store.request(request.id))!;

/** Approves the first, which hangs until `go`, and the second behind it. */
async function approvedBehind(): Promise<{ go: () => void; first: RequestRow; second: RequestRow }> {
  const [first, second] = (await hold("1", "2")) as [RequestRow, RequestRow];
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  await desk.approve(first);
  await desk.until((event) => event.kind === "tool_call" && event.payload.requestId === first.id);
  await desk.approve(second);
  desk.backend.turn(say("first"));
  return { go: resolve, first, second };
}

describe("approved calls of a desk", () => {
  it("P4: run one by one, in the order of the decisions", async () => {
    const [one, two, three] = await hold("1", "2", "3");
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    desk.backend.turn().turn().turn();
    for (const request of [two, three, one]) await desk.approve(request!);
    expect((await stateOf(three!)).state).toBe("approved");
    resolve();
    await outcomes(3);
    expect(ran).toEqual(["2", "3", "1"]);
    const calls = (await desk.events())
      .filter((event) => event.kind === "tool_call" || event.kind === "tool_result")
      .slice(6);
    expect(calls.map((event) => event.kind)).toEqual([
      "tool_call",
      "tool_result",
      "tool_call",
      "tool_result",
      "tool_call",
      "tool_result",
    ]);
  });

  it("do not wait for the desk's turn, nor the turn for them", async () => {
    const [request] = await hold("1");
    const spoken = Promise.withResolvers<void>();
    desk.backend.turn({ label: "a long turn", run: () => spoken.promise });
    await desk.triggers.send("majors", { text: "take your time" }, "ann");
    await desk.until((event) => event.kind === "turn_started" && event.payload.triggerId !== request?.triggerId);
    await desk.approve(request!);
    await desk.until((event) => event.kind === "user_request_changed" && event.payload.to === "completed");
    expect(ran).toEqual(["1"]);
    desk.backend.turn(say("it ran"));
    spoken.resolve();
    await desk.runner.idle();
  });

  it("P4: in the unit that sets running all is read again: what was approved is void where the tool has changed", async () => {
    const { go, second } = await approvedBehind();
    desk.executor.registry.replace([placeOrder("orders, at another broker")]);
    desk.backend.turn(say("voided"));
    go();
    const texts = await outcomes(2);
    expect(ran).toEqual(["1"]);
    expect(texts[1]).toMatch(
      /^Outcome of R-2 \(place_order\): its approval is void; .*Reason, quoted: "place_order is not the tool that was asked for/,
    );
    const voided = await stateOf(second);
    expect(voided).toMatchObject({ state: "pending", decidedBy: null, decision: null, runBy: null, runCallId: null });
    expect(voided.reason).toMatch(/^Approved by ann at 2026-.*, but not run: /);
    await expect(
      desk.requests.decide(
        second.id,
        { decision: "approve", digest: desk.requests.digestOf(second, '{"quantity":"3"}') },
        "ann",
      ),
    ).rejects.toMatchObject({ code: "digest_mismatch" });
    desk.backend.turn(say("ran"));
    await desk.approve(voided);
    await outcomes(3);
    expect(ran).toEqual(["1", "2"]);
  });

  it("P4: void where the tool is gone, and cannot be approved while it is", async () => {
    const { go, second } = await approvedBehind();
    desk.executor.registry.replace([]);
    desk.backend.turn(say("voided"));
    go();
    await outcomes(2);
    expect(ran).toEqual(["1"]);
    await expect(desk.approve(second)).rejects.toMatchObject({ code: "tool_changed" });
    await expect(desk.requests.check(second.id, { quantity: "2" })).rejects.toMatchObject({ code: "tool_changed" });
    expect((await stateOf(second)).state).toBe("pending");
  });

  it("P10: void where a deny rule came, and refused while it is there", async () => {
    const { go, second } = await approvedBehind();
    const rule = await addRule(desk.store, "deny", { note: "risk is away" });
    desk.backend.turn(say("voided"));
    go();
    const texts = await outcomes(2);
    expect(texts[1]).toContain("risk is away");
    await expect(desk.approve(second)).rejects.toMatchObject({
      code: "refused_by_rule",
      message: expect.stringContaining(rule) as string,
    });
    await removeRule(desk.store, rule);
    desk.backend.turn(say("ran"));
    await desk.approve(second);
    await outcomes(3);
    expect(ran).toEqual(["1", "2"]);
  });

  it("P10: a deny rule that comes in the last moment before the run wins", async () => {
    const [request] = await hold("1");
    let told = false;
    faults.before = async (unit, real) => {
      if (unit.name !== "approvedRun" || told) return;
      told = true;
      await addRule(real, "deny");
    };
    desk.backend.turn(say("voided"));
    await desk.approve(request!);
    await outcomes(1);
    expect(ran).toEqual([]);
    expect((await stateOf(request!)).state).toBe("pending");
  });

  it("P13: void where the desk was paused before it started; a resume lets it be approved again", async () => {
    const { go, second } = await approvedBehind();
    await desk.desks.pause("majors", "bob");
    desk.backend.turn(say("voided"));
    go();
    await desk.executor.runApproved(second.id);
    expect(await stateOf(second)).toMatchObject({
      state: "pending",
      reason: expect.stringContaining("the desk is paused") as string,
    });
    expect(desk.backend.turns, "a paused desk hears nothing").toHaveLength(1);
    await expect(desk.approve(second)).rejects.toMatchObject({
      code: "desk_not_active",
      message: expect.stringContaining("R-2 still waits") as string,
    });
    await desk.desks.change("majors", { status: "active" }, "bob");
    await outcomes(2);
    desk.backend.turn(say("ran"));
    await desk.approve(second);
    await outcomes(3);
    expect(ran).toEqual(["1", "2"]);
  });

  it("P4: void, with a fresh expiry, where it did not start within a minute of the decision", async () => {
    const { go, second, first } = await approvedBehind();
    expect((await stateOf(second)).runBy).toBe("2026-09-08T14:01:00.000Z");
    desk.backend.turn(say("voided")).turn(say("the first came late"));
    clock.advance(60_000);
    go();
    await outcomes(3);
    expect(await stateOf(second)).toMatchObject({
      state: "pending",
      expiresAt: "2026-09-08T14:16:00.000Z",
      reason: expect.stringContaining("it did not start within 60 s of the decision") as string,
    });
    expect(await stateOf(first), "its own time was over").toMatchObject({ state: "uncertain" });
  });
});

describe("P13: a paused desk", () => {
  it("blocks approvals with 409, lets denials through, and runs what is approved after the resume", async () => {
    const [one, two] = await hold("1", "2");
    await desk.desks.pause("majors", "bob");
    await expect(desk.approve(one!)).rejects.toMatchObject({ code: "desk_not_active" });
    expect((await stateOf(one!)).state).toBe("pending");
    expect(await desk.deny(two!)).toMatchObject({ state: "denied" });
    desk.backend.turn(say("denied")).turn(say("ran"));
    await desk.desks.change("majors", { status: "active" }, "bob");
    await desk.approve(one!);
    await outcomes(2);
    expect(ran).toEqual(["1"]);
  });
});

describe("H2, P6: an approval whose process ended before the start", () => {
  async function endedBeforeTheRun(): Promise<RequestRow> {
    const [request] = await hold("1");
    faults.fail.push("approvedRun");
    const tried = Promise.withResolvers<void>();
    faults.before = async (unit) => {
      if (unit.name === "approvedRun") tried.resolve();
    };
    await desk.approve(request!);
    await tried.promise;
    await desk.live.close();
    return request!;
  }

  /** Starts on the same record again, and gives what the desk was told. */
  async function toldAfterStart(): Promise<unknown> {
    const backend = new ScriptedBackend("scripted").turn(say("I see"));
    desk = await startAgain(desk, { tools: [placeOrder("orders")], backends: [backend] });
    await desk.recover();
    await desk.until((event) => event.kind === "trigger_queued" && event.payload.kind === "outcome");
    await desk.runner.idle();
    backend.assertDone();
    return backend.turns[0]!.trigger.data;
  }

  it("runs once after a start within runBy", async () => {
    const request = await endedBeforeTheRun();
    clock.advance(59_999);
    expect(await toldAfterStart()).toMatchObject({ state: "completed", resultText: "filled 1" });
    expect(ran).toEqual(["1"]);
    expect((await stateOf(request)).state).toBe("completed");
  });

  it("is void after it, and asked again", async () => {
    const request = await endedBeforeTheRun();
    clock.advance(60_000);
    expect(await toldAfterStart()).toMatchObject({ state: "voided" });
    expect(ran).toEqual([]);
    expect(await stateOf(request)).toMatchObject({ state: "pending", expiresAt: "2026-09-08T14:16:00.000Z" });
  });
});

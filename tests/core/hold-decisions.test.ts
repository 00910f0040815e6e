import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppError } from "#lib/core/app-error.ts";
import type { RequestRow } from "#lib/core/record.ts";
import type { DecisionBody } from "#lib/protocol/bodies.ts";
import { call, say } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { expectOneResultEach } from "./one-result.ts";
import { addRule } from "./rules.ts";

let desk: TestDesk;
let held: RequestRow;

beforeEach(async () => {
  desk = await openTestDesk();
  desk.backend.turn(call("place_order", { symbol: "EURUSD", quantity: "10", note: "why" }));
  await desk.turn();
  [held] = (await desk.pending()) as [RequestRow];
});

afterEach(async () => {
  await desk.executor.idle();
  await desk.runner.idle();
  desk.backend.assertDone();
  await expectOneResultEach(desk);
  await desk.remove();
});

/** Waits until the desk has answered the outcome of its one hold. */
async function told(): Promise<void> {
  await desk.until((event) => event.kind === "trigger_queued" && event.payload.kind === "outcome");
  await desk.runner.idle();
}

const decide = (body: Partial<DecisionBody>, by: string) =>
  desk.requests.decide(held.id, { decision: "approve", digest: desk.requests.digestOf(held), ...body }, by);
const now = async () => (await desk.store.request(held.id))!;
const edited = (changes: object): object => ({ symbol: "EURUSD", quantity: "10", note: "why", ...changes });

/** Approves edited arguments with the digest that `check` gives for them. */
async function approveEdited(args: object, by = "ann"): Promise<RequestRow> {
  const { digest } = await desk.requests.check(held.id, args);
  return decide({ arguments: args, digest }, by);
}

describe("H1, P5: decisions at the same moment", () => {
  it("twenty approvals: one wins, the others are told who and when, and it runs once", async () => {
    desk.backend.turn(say("done"));
    const people = Array.from({ length: 20 }, (_, index) => `person${index}`);
    const results = await Promise.allSettled(people.map((by) => decide({}, by)));
    const won = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const lost = results.flatMap((result) => (result.status === "rejected" ? [result.reason as AppError] : []));
    expect(won).toHaveLength(1);
    const winner = won[0]!;
    for (const error of lost) {
      expect(error).toMatchObject({ code: "already_decided", details: { request: { decidedBy: winner.decidedBy } } });
      expect(error.message).toContain(`R-1 was approved by ${winner.decidedBy} at ${winner.decidedAt}`);
    }
    await told();
    expect(desk.witness.orders).toHaveLength(1);
  });

  it("approve and deny: one wins, and only an approval runs", async () => {
    desk.backend.turn(say("done"));
    const results = await Promise.allSettled([decide({}, "ann"), decide({ decision: "deny" }, "bob")]);
    expect(results.map((result) => result.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [approved] = results;
    const error = results.find((result) => result.status === "rejected")?.reason as AppError;
    expect(error.message).toMatch(approved.status === "fulfilled" ? /approved by ann/ : /denied by bob/);
    await told();
    expect(desk.witness.orders).toHaveLength(approved.status === "fulfilled" ? 1 : 0);
    const changes = (await desk.events()).filter(
      (event) => event.kind === "user_request_changed" && event.payload.from === "pending",
    );
    expect(changes).toHaveLength(1);
  });

  it("a double click, and the same again after it has run, get the first answer", async () => {
    desk.backend.turn(say("done"));
    const [one, two] = await Promise.all([decide({}, "ann"), decide({}, "ann")]);
    expect(two).toMatchObject({ decidedBy: "ann", decidedAt: one.decidedAt, runBy: one.runBy });
    await told();
    expect(await decide({}, "ann")).toMatchObject({ state: "completed", decidedAt: one.decidedAt });
    expect(desk.witness.orders).toHaveLength(1);
  });

  it("the same person with another verdict, or other arguments, is told of the first", async () => {
    desk.backend.turn(say("done"));
    await approveEdited(edited({ quantity: "5" }));
    await told();
    await expect(decide({ decision: "deny" }, "ann")).rejects.toMatchObject({ code: "already_decided" });
    await expect(decide({}, "ann"), "the arguments as they were, by their digest").rejects.toMatchObject({
      code: "already_decided",
    });
    await expect(decide({ arguments: edited({ quantity: "6" }) }, "ann")).rejects.toMatchObject({
      code: "already_decided",
    });
    expect(await decide({ arguments: edited({ quantity: "5.0" }) }, "ann")).toMatchObject({ state: "completed" });
    expect(desk.witness.orders).toMatchObject([{ quantity: "5" }]);
  });

  it("a denial twice by the same person is one", async () => {
    desk.backend.turn(say("ok"));
    const one = await decide({ decision: "deny", note: "no" }, "ann");
    expect(await decide({ decision: "deny", note: "no" }, "ann")).toEqual(one);
    await expect(decide({ decision: "deny" }, "bob")).rejects.toMatchObject({
      message: expect.stringContaining("R-1 was denied by ann") as string,
    });
  });
});

describe("H3: edited arguments", () => {
  it("P4: run exactly as approved; both versions are kept, and the card's ticket is of what runs", async () => {
    const check = await desk.requests.check(held.id, edited({ quantity: 5.0 }));
    expect(check).toMatchObject({
      arguments: '{"note":"why","orderType":"market","quantity":"5","symbol":"EURUSD"}',
      verdict: "hold",
      ticket: { headline: "BUY 5 EURUSD MARKET" },
    });
    expect(check.digest).not.toBe(desk.requests.digestOf(held));
    expect(await now(), "a check changes nothing").toEqual(held);
    desk.backend.turn(say("done"));
    await approveEdited(edited({ quantity: 5 }));
    await told();
    expect(await now()).toMatchObject({
      arguments: check.arguments,
      argumentsBeforeEdit: held.arguments,
      ticket: { headline: "BUY 5 EURUSD MARKET" },
      facts: { quantity: "5" },
    });
    expect(desk.witness.orders).toMatchObject([{ quantity: "5" }]);
    expect(desk.backend.turns[1]!.trigger.data).toMatchObject({ arguments: check.arguments });
    const run = (await desk.calls())[1]!;
    expect(run.arguments).toBe(check.arguments);
    expect(run.identity, "of what ran").not.toBe(held.identity);
  });

  it.each([
    [{ quantity: -5 }, "arguments.quantity", /greater than 0/, "-5"],
    [{ quantity: "1e3" }, "arguments.quantity", /plain decimal/, '"1e3"'],
    [{ account: "x" }, "arguments.account", /is not a field of place_order/, '"x"'],
    [{ tool: "cancel_orders" }, "arguments.tool", /is not a field of place_order/, '"cancel_orders"'],
    [{ symbol: "" }, "arguments.symbol", /./, '""'],
  ])("P14: %j is refused by field, and the request still waits", async (changes, field, limit, given) => {
    const expected = { code: "invalid", details: { field, limit: expect.stringMatching(limit) as string, given } };
    await expect(decide({ arguments: edited(changes) }, "ann")).rejects.toMatchObject(expected);
    await expect(desk.requests.check(held.id, edited(changes))).rejects.toMatchObject(expected);
    expect(await now()).toEqual(held);
  });

  it.each([[null], [[]], ["{}"], [7]])("P14: %j as arguments is refused", async (args) => {
    await expect(decide({ arguments: args }, "ann")).rejects.toMatchObject({
      code: "invalid",
      details: { field: "arguments.arguments" },
    });
  });

  it("P4: need the digest of what would run, not of what was asked for", async () => {
    const args = edited({ quantity: 5 });
    await expect(decide({ arguments: args }, "ann")).rejects.toMatchObject({
      code: "digest_mismatch",
      details: { field: "digest" },
    });
    const { digest } = await desk.requests.check(held.id, edited({ quantity: 6 }));
    await expect(decide({ arguments: args, digest }, "ann")).rejects.toMatchObject({ code: "digest_mismatch" });
    expect(await now()).toEqual(held);
  });

  it("P10: are judged again: a deny rule for them is told by check and refuses the approval", async () => {
    const args = edited({ quantity: 5 });
    const { arguments: canonical } = await desk.requests.check(held.id, args);
    const id = await addRule(desk.store, "deny", { arguments: canonical });
    expect(await desk.requests.check(held.id, args)).toMatchObject({
      verdict: "deny",
      reason: expect.stringContaining(id) as string,
      ticket: null,
    });
    await expect(approveEdited(args)).rejects.toMatchObject({
      code: "refused_by_rule",
      message: expect.stringContaining(id) as string,
    });
    expect(await now()).toEqual(held);
    desk.backend.turn(say("done"));
    await decide({}, "ann");
    await told();
  });

  it("P14: a denial has none", async () => {
    await expect(decide({ decision: "deny", arguments: {} }, "ann")).rejects.toMatchObject({
      code: "invalid",
      details: { field: "arguments" },
    });
  });

  it("that are the same when normalised are no edit", async () => {
    desk.backend.turn(say("done"));
    await decide({ arguments: { note: "why", quantity: 10.0, symbol: " EURUSD " } }, "ann");
    await told();
    expect(await now()).toMatchObject({ arguments: held.arguments, argumentsBeforeEdit: null });
  });
});

describe("the digest", () => {
  it.each(["", "0".repeat(64), "x"])(
    "P4: %j that does not fit is refused, and the request still waits",
    async (digest) => {
      await expect(decide({ digest }, "ann")).rejects.toMatchObject({
        code: "digest_mismatch",
        details: { given: digest },
      });
      expect(await now()).toEqual(held);
    },
  );

  it("P13: is not asked of a denial", async () => {
    desk.backend.turn(say("ok"));
    expect(await decide({ decision: "deny", digest: "any" }, "ann")).toMatchObject({ state: "denied" });
  });

  it("is another for another request with the same arguments", async () => {
    expect(desk.requests.digestOf(held)).not.toBe(desk.requests.digestOf({ ...held, id: `${held.id}x` }));
    expect(desk.requests.digestOf(held)).not.toBe(desk.requests.digestOf({ ...held, tool: "cancel_orders" }));
  });
});

it("P14: what is no hold, or not there, is told so", async () => {
  await expect(desk.requests.answer(held.id, { answers: [] }, "ann")).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("R-1 is a hold") as string,
  });
  await expect(desk.requests.dismiss(held.id, "ann")).rejects.toMatchObject({ code: "invalid" });
  await expect(desk.requests.resolve(held.id, { outcome: "ran", note: "" }, "ann")).rejects.toMatchObject({
    code: "invalid",
  });
  await expect(desk.requests.read("01NOTTHERE")).rejects.toMatchObject({ code: "not_found", details: { field: "id" } });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RequestRow } from "#lib/core/record.ts";
import { call, say } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock, type ManualClock } from "#tests/support/manual-clock.ts";

let desk: TestDesk;
let clock: ManualClock;

beforeEach(async () => {
  clock = manualClock();
  desk = await openTestDesk({ clock });
});

afterEach(async () => {
  await desk.runner.idle();
  desk.backend.assertDone();
  expect(desk.witness.orders).toEqual([]);
  await desk.remove();
});

const minute = 60_000;
const question = {
  question: "Which stop?",
  header: "Stop",
  multiSelect: false,
  options: [
    { label: "Tight", description: "close by" },
    { label: "Wide", description: "far off" },
  ],
};

async function waiting(tool: string, args: object): Promise<RequestRow> {
  desk.backend.turn(call(tool, args));
  await desk.turn();
  return (await desk.pending())[0]!;
}

const hold = () => waiting("place_order", { symbol: "EURUSD", quantity: 1 });
const stateOf = async (request: RequestRow) => (await desk.store.request(request.id))?.state;

describe("P4: a hold", () => {
  it("expires after its time, is not run, and the desk is told", async () => {
    const request = await hold();
    clock.advance(15 * minute - 1);
    expect(await desk.requests.expireDue()).toBe(0);
    clock.advance(1);
    desk.backend.turn(say("pity"));
    expect(await desk.requests.expireDue()).toBe(1);
    await desk.runner.idle();
    expect(await stateOf(request)).toBe("expired");
    expect(desk.backend.turns[1]!.trigger.text).toBe(
      "Outcome of R-1 (place_order): expired; nobody decided in time, and it did not run.",
    );
    expect(await desk.requests.expireDue()).toBe(0);
  });

  it("that is due and not swept yet cannot be approved or denied: whoever tries is told that it expired", async () => {
    const request = await hold();
    clock.advance(15 * minute);
    desk.backend.turn(say("pity"));
    await expect(desk.approve(request)).rejects.toMatchObject({
      code: "expired",
      message: expect.stringContaining("R-1 expired at 2026-09-08T14:15:00.000Z") as string,
    });
    await expect(desk.deny(request)).rejects.toMatchObject({ code: "expired" });
    expect(await stateOf(request)).toBe("expired");
  });

  it.each(["abc", "", "9999", "Infinity", "2027-09-08", "+275760-09-13T00:00:00.001Z", "2027-09-08 14:00:00"])(
    "whose expiry reads %j has expired",
    async (expiresAt) => {
      const request = await hold();
      await desk.store.commit({
        name: "hold",
        when: [],
        changes: [{ update: "request", key: request.id, set: { expiresAt } }],
        events: [],
      });
      desk.backend.turn(say("pity"));
      await expect(desk.approve(request)).rejects.toMatchObject({ code: "expired" });
      expect(await stateOf(request)).toBe("expired");
    },
  );

  it("that is due and not swept yet is not what a later turn's equal call waits for", async () => {
    const request = await hold();
    clock.advance(15 * minute);
    desk.backend.turn(call("place_order", { symbol: "EURUSD", quantity: 1 }, (answer) => answer.text.includes("R-2")));
    desk.backend.turn(say("pity"));
    await desk.turn();
    await desk.requests.expireDue();
    expect(await stateOf(request)).toBe("expired");
    expect(await desk.pending()).toMatchObject([{ number: 2, expiresAt: "2026-09-08T14:30:00.000Z" }]);
  });
});

describe("P9: a question", () => {
  it("waits for a day, and cannot be answered or dismissed after that", async () => {
    const request = await waiting("ask_user", { questions: [question] });
    clock.advance(24 * 60 * minute - 1);
    expect(await desk.requests.expireDue()).toBe(0);
    clock.advance(1);
    desk.backend.turn(say("pity"));
    const answers = [{ questionId: "q1", optionIds: ["o1"] }];
    await expect(desk.requests.answer(request.id, { answers }, "ann")).rejects.toMatchObject({ code: "expired" });
    await expect(desk.requests.dismiss(request.id, "ann")).rejects.toMatchObject({ code: "expired" });
    await desk.runner.idle();
    expect(desk.backend.turns[1]!.trigger.data).toMatchObject({ state: "expired", by: null });
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, hangForEver } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";

let desk: TestDesk;

beforeEach(async () => {
  desk = await openTestDesk();
});

afterEach(async () => {
  desk.backend.assertDone();
  await desk.remove();
});

const body = (name: string, changes: object = {}) => ({
  name,
  instructions: "",
  backends: ["scripted"],
  toolsets: ["test"],
  ...changes,
});

describe("making a desk", () => {
  it("P14: names what is unknown or there already, and makes nothing", async () => {
    const make = (name: string, changes?: object) => desk.desks.create(body(name, changes), "ann");
    await expect(make("majors")).rejects.toMatchObject({
      code: "already_exists",
      details: { field: "name", given: "majors" },
    });
    await expect(make("crypto", { backends: ["scripted", "gone"] })).rejects.toMatchObject({
      code: "invalid",
      details: { field: "backends[1]", limit: "one of scripted", given: "gone" },
    });
    await expect(make("crypto", { toolsets: ["test", "test"] })).rejects.toMatchObject({
      code: "invalid",
      details: { field: "toolsets[1]", limit: "each once" },
    });
    await expect(desk.desks.read("crypto")).rejects.toMatchObject({ code: "not_found", details: { field: "desk" } });
    expect((await desk.store.desks()).map(({ name }) => name)).toEqual(["majors"]);
  });

  it("at the same moment twice makes one", async () => {
    const results = await Promise.allSettled([1, 2].map(() => desk.desks.create(body("crypto"), "ann")));
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("changing a desk", () => {
  it("counts the versions of its instructions, and only real changes", async () => {
    expect(await desk.desks.change("majors", { instructions: "trade" }, "ann")).toMatchObject({
      instructionsVersion: 2,
    });
    expect(await desk.desks.change("majors", { instructions: "trade" }, "ann")).toMatchObject({
      instructionsVersion: 2,
    });
    expect(await desk.desks.change("majors", { caps: { callsPerTurn: 7 } }, "ann")).toMatchObject({
      caps: { callsPerTurn: 7, minutesPerTurn: 30 },
    });
  });

  it("gives it its changed tools at once", async () => {
    await desk.desks.change("majors", { toolsets: ["ask_user"] }, "ann");
    expect(desk.executor.registry.names()).toEqual(["ask_user"]);
    desk.backend.turn(
      call("get_quote", { symbol: "EURUSD" }, (answer) => answer.text.endsWith("The tools of this desk: ask_user.")),
    );
    await desk.turn();
  });

  it("P13: archiving stops its turn, cancels all that waits, and it takes no more messages", async () => {
    desk.backend.turn(call("place_order", { symbol: "EURUSD", quantity: 1 }));
    await desk.turn();
    const [request] = await desk.pending();
    desk.backend.turn(hangForEver());
    const running = await desk.triggers.send("majors", { text: "hang" }, "ann");
    await desk.until((event) => event.kind === "turn_started" && event.triggerId === running);
    await desk.desks.change("majors", { status: "archived" }, "ann");
    await desk.runner.idle();
    expect(await desk.store.request(request!.id)).toMatchObject({ state: "cancelled" });
    expect(await desk.store.trigger(running)).toMatchObject({ state: "stopped" });
    await expect(desk.triggers.send("majors", { text: "hello" }, "ann")).rejects.toMatchObject({
      code: "desk_not_active",
    });
    await expect(desk.desks.pause("majors", "ann")).rejects.toMatchObject({ code: "desk_not_active" });
  });
});

it("P13: pausing all pauses each active desk, once, and says which", async () => {
  await desk.desks.create(body("crypto"), "ann");
  await desk.desks.create(body("hedges"), "ann");
  await desk.desks.pause("hedges", "ann");
  expect((await desk.desks.pauseAll("bob")).toSorted()).toEqual(["crypto", "majors"]);
  expect(await desk.desks.pauseAll("bob")).toEqual([]);
  expect((await desk.store.desks()).map(({ status }) => status)).toEqual(["paused", "paused", "paused"]);
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes, type RouteName } from "#lib/protocol/routes.ts";
import type { RequestView } from "#lib/protocol/views.ts";
import { ask } from "#tests/support/http.ts";
import { ToldDesk } from "#tests/support/told-desk.ts";
import { expectRefusal } from "./refusals.ts";

let desk: ToldDesk;

beforeAll(async () => {
  desk = await ToldDesk.start();
});

afterAll(async () => {
  // Also says that each reply was as its route says.
  expect(desk.server.logged("error")).toEqual([]);
  expect(await desk.server.stop()).toBe(0);
});

const options = ["Tight", "Wide"].map((label) => ({ label, description: label }));
let asked = 0;
const question = () => {
  asked += 1;
  return [{ question: `Which stop, ${asked}?`, header: "Stop", options, multiSelect: false }];
};

/** A use of each route that should succeed; the compiler asks for one of a new route. */
const uses: { [Name in RouteName]: (() => Promise<unknown>) | null } = {
  health: async () => {
    expect(await desk.reply("health", "/api/health")).toMatchObject({ status: "ok", database: "sqlite" });
  },
  listDesks: async () => {
    const { desks } = await desk.reply("listDesks", "/api/desks");
    expect(desks.map(({ name }) => name)).toContain("majors");
  },
  createDesk: async () => {
    const body = { name: "notes-only", backends: ["playbook:told"], toolsets: ["notes"], caps: { callsPerTurn: 2 } };
    const made = await desk.reply("createDesk", "/api/desks", body);
    expect(made).toMatchObject({
      name: "notes-only",
      status: "active",
      caps: { callsPerTurn: 2, pendingRequests: 20 },
    });
    expectRefusal(await desk.send("/api/desks", body), { code: "already_exists" });
    expectRefusal(await desk.send("/api/desks", { ...body, name: "other", backends: ["nonsense"] }), {
      code: "invalid",
    });
    expectRefusal(await desk.send("/api/desks", { ...body, name: "other", toolsets: ["nonsense"] }), {
      code: "invalid",
    });
  },
  readDesk: async () => {
    expect(await desk.reply("readDesk", "/api/desks/majors")).toMatchObject({ name: "majors", halted: null });
  },
  changeDesk: async () => {
    const { instructionsVersion } = await desk.reply("readDesk", "/api/desks/majors");
    const changed = await desk.reply("changeDesk", "/api/desks/majors", { instructions: "Buy low." });
    expect(changed).toMatchObject({ instructions: "Buy low.", instructionsVersion: instructionsVersion + 1 });
  },
  sendMessage: async () => {
    const body = { text: "hello", clientId: "c-1" };
    const first = await desk.reply("sendMessage", "/api/desks/majors/messages", body);
    expect(await desk.reply("sendMessage", "/api/desks/majors/messages", body)).toEqual(first);
    const other = await desk.send("/api/desks/majors/messages", { ...body, text: "another text" });
    expectRefusal(other, { code: "client_id_reused" });
  },
  stopDesk: async () => {
    const request = await desk.hold("501");
    const { cancelled } = await desk.reply("stopDesk", "/api/desks/majors/stop", { all: true });
    expect(cancelled).toContain(request.id);
  },
  pauseDesk: async () => {
    expect(await desk.reply("pauseDesk", "/api/desks/majors/pause", {})).toMatchObject({ status: "paused" });
    expect(await desk.reply("changeDesk", "/api/desks/majors", { status: "active" })).toMatchObject({
      status: "active",
    });
  },
  pauseAll: async () => {
    expect((await desk.reply("pauseAll", "/api/pause-all", {})).paused).toContain("majors");
    expect((await desk.reply("pauseAll", "/api/pause-all", {})).paused).toEqual([]);
    await desk.reply("changeDesk", "/api/desks/majors", { status: "active" });
  },
  deskTools: async () => {
    const { tools } = await desk.reply("deskTools", "/api/desks/majors/tools");
    expect(tools.find(({ name }) => name === "place_order")).toMatchObject({
      effect: "write",
      parameters: { type: "object", additionalProperties: false },
    });
  },
  listEvents: async () => {
    await desk.tell({ name: "get_quote", arguments: { symbol: "EURUSD" } });
    const { events } = await desk.reply(
      "listEvents",
      "/api/events?desk=majors&kind=tool_call,tool_result&tool=get_quote",
    );
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["tool_call", "tool_result"]));
    const found = await desk.reply("listEvents", "/api/events?q=EURUSD&limit=1");
    expect(found.events).toHaveLength(1);
  },
  listCalls: async () => {
    await desk.tell({ name: "get_quote", arguments: { symbol: "EURUSD" } }, { name: "nonsense" });
    const { calls, more } = await desk.reply("listCalls", "/api/calls?desk=majors&limit=1");
    expect(more).toBe(true);
    expect(calls[0]).toMatchObject({ name: "nonsense", status: "refused", argumentsGiven: null });
    const next = await desk.reply("listCalls", `/api/calls?desk=majors&limit=1&before=${calls[0]?.callId}`);
    expect(next.calls[0]).toMatchObject({ name: "get_quote", status: "succeeded" });
  },
  listRequests: async () => {
    const request = await desk.hold("502");
    const { requests } = await desk.reply("listRequests", "/api/requests?desk=majors");
    expect(requests.map(({ id }) => id)).toContain(request.id);
    const closed = await desk.reply("listRequests", "/api/requests?state=cancelled,answered&limit=500");
    expect(closed.requests.map(({ id }) => id)).not.toContain(request.id);
  },
  readRequest: async () => {
    const { id } = await desk.hold("503");
    const request = await desk.reply("readRequest", `/api/requests/${id}`);
    expect(request).toMatchObject({
      kind: "permission",
      state: "pending",
      tool: "place_order",
      backend: "playbook:told",
    });
    expect(request.ticket?.headline).toContain("BUY 503 EURUSD");
    expect(request.ticketNow?.headline).toBe(request.ticket?.headline);
  },
  decideRequest: async () => {
    const { id, digest } = await desk.hold("504");
    const decision = { decision: "approve", digest, note: "go" };
    expect(await desk.reply("decideRequest", `/api/requests/${id}/decision`, decision)).toMatchObject({ note: "go" });
    expect((await desk.inState(id, "completed")).runCallId).toBeTruthy();
  },
  checkRequest: async () => {
    const { id, digest } = await desk.hold("505");
    const order = { symbol: "EURUSD", side: "buy", quantity: "505.0" };
    const same = await desk.reply("checkRequest", `/api/requests/${id}/check`, { arguments: order });
    expect(same).toMatchObject({ verdict: "hold", digest });
  },
  answerRequest: async () => {
    const { id } = await desk.ask(question());
    const answers = [{ questionId: "q1", optionIds: ["o2"] }];
    expect(await desk.reply("answerRequest", `/api/requests/${id}/answer`, { answers })).toMatchObject({ answers });
  },
  dismissRequest: async () => {
    const { id } = await desk.ask(question());
    expect(await desk.reply("dismissRequest", `/api/requests/${id}/dismiss`, {})).toMatchObject({ state: "dismissed" });
  },
  // An uncertain call takes a crash: see the tests of recovery.
  resolveRequest: null,
  readPicture: async () => {
    const [call] = await desk.tell({ name: "draw_chart", arguments: { symbol: "EURUSD", days: 15 } });
    expect(call).toMatchObject({
      status: "succeeded",
      picturePath: expect.stringMatching(/^\/api\/pictures\/\w{26}$/),
    });
    const picture = await ask({ port: desk.server.port, path: call?.picturePath ?? "" });
    expect(picture).toMatchObject({ status: 200, headers: { "content-type": "image/png" } });
    expect(picture.text.slice(1, 4)).toBe("PNG");
    expectRefusal(await ask({ port: desk.server.port, path: `/api/pictures/${"0".repeat(26)}` }), {
      code: "not_found",
    });
  },
  openApi: async () => {
    const document = await desk.reply("openApi", "/api/openapi.json");
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Deskboard" } });
  },
};

describe("a door does what it is for", () => {
  it.each(Object.keys(routes) as RouteName[])("%s", async (name) => {
    expect.hasAssertions();
    expect(Object.keys(uses)).toContain(name);
    await uses[name]?.();
  });

  it("an unknown clientId's worth of double clicks is one message", async () => {
    const body = { text: "once", clientId: "c-2" };
    const sent = await Promise.all(Array.from({ length: 20 }, () => desk.send("/api/desks/majors/messages", body)));
    expect(new Set(sent.map(({ text }) => text)).size).toBe(1);
    const { events } = await desk.reply("listEvents", "/api/events?kind=message&q=once");
    expect(events).toHaveLength(1);
  });

  it("what waits stands by urgency", async () => {
    const { requests } = await desk.reply("listRequests", "/api/requests");
    const ends = requests.map((request: Pick<RequestView, "expiresAt">) => request.expiresAt ?? "");
    expect(ends).toEqual(ends.toSorted());
  });
});

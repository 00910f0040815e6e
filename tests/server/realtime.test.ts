import { request as httpRequest } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import type { Presence } from "#lib/protocol/socket.ts";
import { collect, outcomeOf, watch } from "#tests/support/live-client.ts";
import { LiveStand } from "#tests/support/live-stand.ts";

// A busy machine is slow, and that is not what is tested.
vi.setConfig({ testTimeout: 40_000 });
const until = (check: () => boolean) => vi.waitUntil(check, { timeout: 30_000 });

let stand: LiveStand;
beforeEach(async () => void (stand = await LiveStand.start()));
afterEach(() => stand.close());

describe("who may open a socket", () => {
  test("our own pages", async () => {
    expect(await outcomeOf(stand.open())).toBe("connected");
  });

  test.each([
    ["another site's page", { origin: "http://evil.example" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["a page without an origin", { origin: "null" }],
    ["a name that was pointed at this machine", { origin: "http://evil.example", host: "evil.example" }],
  ])("not %s", async (_who, extraHeaders) => {
    expect(await outcomeOf(stand.open({ extraHeaders, reconnection: false }))).toMatch(/^refused/);
  });

  test("not a client that says no origin, nor one that asks for another host", async () => {
    expect(await outcomeOf(stand.open({ extraHeaders: {}, reconnection: false }))).toMatch(/^refused/);
    expect(await upgradeStatus({ origin: stand.url, host: "evil.example" })).toBe(400);
    expect(await upgradeStatus({ origin: stand.url })).toBe(101);
  });

  async function upgradeStatus(headers: Record<string, string>): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-version": "13" };
    const sent = httpRequest(`${stand.url}/socket.io/?EIO=4&transport=websocket`, {
      headers: { connection: "Upgrade", upgrade: "websocket", ...key, ...headers },
    });
    sent.on("response", (response) => resolve(response.statusCode));
    sent.on("upgrade", (response, socket) => {
      resolve(response.statusCode);
      socket.destroy();
    });
    sent.end();
    return promise;
  }
});

describe("what a socket watches", () => {
  test("all desks, those that are made later included", async () => {
    stand.say("majors", "before");
    const client = stand.open();
    const events = collect(client);
    expect(await watch(client, "all")).toEqual({ heads: { position: 1, seqs: { majors: 1 } } });
    const said = [stand.say("majors", "one"), stand.say("made-later", "two")];
    await until(() => events.length === 2);
    expect(events).toEqual(said);
  });

  test("some desks, and with a later watch others instead", async () => {
    const client = stand.open();
    const events = collect(client);
    expect(await watch(client, ["a", "later"])).toEqual({ heads: { position: 0, seqs: { a: 0, later: 0 } } });
    stand.say("a", "1");
    stand.say("b", "2");
    stand.say("later", "3");
    await watch(client, ["b"]);
    stand.say("a", "4");
    stand.say("b", "5");
    await until(() => events.length === 3);
    expect(events.map((event) => event.position)).toEqual([1, 3, 5]);
  });

  test("nothing before it says so", async () => {
    const [silent, loud] = [stand.open(), stand.open()];
    const [nothing, something] = [collect(silent), collect(loud)];
    await watch(loud, "all");
    stand.say("a", "1");
    await until(() => something.length === 1);
    expect(nothing).toEqual([]);
  });

  test("P11: L1: three reconnections and desk A, B, A fifty times: one copy of one event, and no listener more", async () => {
    const client = stand.open();
    const events = collect(client);
    await watch(client, "all");
    const before = stand.listeners;
    for (let round = 0; round < 3; round += 1) {
      const again = new Promise<void>((connected) => client.once("connect", connected));
      client.io.engine.close();
      await again;
    }
    for (let round = 0; round < 50; round += 1) {
      for (const desk of ["a", "b", "a"]) await watch(client, [desk]);
    }
    stand.say("a", "once");
    await watch(client, ["a"]);
    expect(events.map((event) => event.payload)).toEqual([{ from: "desk", name: "a", text: "once" }]);
    expect(stand.listeners).toBe(before);
    expect(client.listeners("event")).toHaveLength(1);
  });

  test("P11: everything of a stream of fifty a second, once, in order, in each socket", async () => {
    const clients = [stand.open(), stand.open(), stand.open()];
    const heard = clients.map(collect);
    for (const client of clients) await watch(client, "all");
    const own = stand;
    let said = 0;
    const timer = setInterval(() => {
      said += 1;
      own.say(`desk-${said % 7}`, `word ${said}`);
      if (said === 150) clearInterval(timer);
    }, 20);
    await until(() => heard.every((events) => events.length === 150));
    const wanted = Array.from({ length: 150 }, (_, index) => index + 1);
    for (const events of heard) expect(events.map((event) => event.position)).toEqual(wanted);
  });
});

test("P11: an event that is too large comes without its payload and with its size", async () => {
  const client = stand.open();
  const events = collect(client);
  await watch(client, "all");
  const large = stand.say("majors", "ü".repeat(limits.liveEventBytes / 2));
  const small = stand.say("majors", "small");
  await until(() => events.length === 2);
  expect(events).toEqual([{ ...large, payload: null, size: Buffer.byteLength(JSON.stringify(large)) }, small]);
});

test("P14: a message that is wrong gets an error that names the field, and harms nobody", async () => {
  const client = stand.open();
  const emit = client.timeout(5_000).emitWithAck.bind(client.timeout(5_000)) as (
    name: string,
    ...given: unknown[]
  ) => Promise<unknown>;
  const refusals: [string, unknown, object][] = [
    ["watch", undefined, { field: "message" }],
    ["watch", { desks: 7 }, { field: "desks" }],
    ["watch", { desks: ["x".repeat(limits.deskNameCharacters + 1)] }, { field: "desks[0]" }],
    ["watch", { desks: Array.from({ length: limits.watchedDesks + 1 }, String) }, { field: "desks" }],
    ["watch", { desks: "all", more: 1 }, { field: "more" }],
    ["looking", { requestId: 5 }, { field: "requestId" }],
    ["looking", ["a"], { field: "message" }],
  ];
  for (const [name, message, error] of refusals) {
    expect(await emit(name, message), JSON.stringify(message)).toMatchObject({ error });
  }
  // Without an acknowledgement, with a text in its place, and with a name that nobody knows.
  const send = client.emit.bind(client) as unknown as (name: string, ...given: unknown[]) => void;
  send("watch");
  send("watch", { desks: "all" }, "no function");
  send("decide", { approve: true });
  expect(await watch(client, "all")).toMatchObject({ heads: {} });
  // One that is too large costs its sender the connection, and nobody else.
  const other = stand.open();
  await watch(other, "all");
  const lost = new Promise((gone) => client.once("disconnect", gone));
  send("watch", { desks: "x".repeat(limits.socketMessageBytes) });
  await lost;
  expect(await watch(other, "all")).toMatchObject({ heads: {} });
});

test("presence: who has which card open, by tab, until the tab is closed", async () => {
  const [one, two] = [stand.open(), stand.open()];
  let seen: Presence["cards"] = [];
  two.on("presence", ({ cards }) => (seen = cards));
  await watch(one, "all");
  await watch(two, "all");
  const people = () => seen.map((card) => [card.requestId, card.people.map(({ name, tab }) => `${name} ${tab}`)]);
  await one.emitWithAck("looking", { requestId: "R1" });
  await two.emitWithAck("looking", { requestId: "R1" });
  await vi.waitFor(() => expect(people()).toEqual([["R1", [`ann ${one.id}`, `ann ${two.id}`]]]), { timeout: 30_000 });
  await two.emitWithAck("looking", { requestId: null });
  await vi.waitFor(() => expect(people()).toEqual([["R1", [`ann ${one.id}`]]]), { timeout: 30_000 });
  one.disconnect();
  await vi.waitFor(() => expect(seen).toEqual([]), { timeout: 30_000 });
});

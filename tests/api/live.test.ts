import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DeskEvent } from "#lib/protocol/events.ts";
import type { Heads } from "#lib/protocol/socket.ts";
import type { DeskView, EventPage, RequestReply, RequestView } from "#lib/protocol/views.ts";
import { ask } from "#tests/support/http.ts";
import { collect, type LiveClient, liveClient, outcomeOf, watch } from "#tests/support/live-client.ts";
import { startServer } from "#tests/support/server.ts";
import { ToldDesk } from "#tests/support/told-desk.ts";

/** A busy machine is slow, and that is not what is tested. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 5 });

let desk: ToldDesk;
const clients: LiveClient[] = [];
beforeAll(async () => void (desk = await ToldDesk.start()));
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await desk.server.stop();
});

function open(url = desk.server.url, options = {}): LiveClient {
  const client = liveClient(url, options);
  clients.push(client);
  return client;
}

async function watchAll(client: LiveClient): Promise<Heads> {
  const watched = await watch(client, "all");
  if ("error" in watched) throw new Error(watched.error.message);
  return watched.heads;
}

/** Every event after a position, as the database has it. */
async function stored(after: number, from = desk): Promise<DeskEvent[]> {
  return (await from.get<{ events: DeskEvent[] }>(`/api/events?after=${after}&limit=500`)).events;
}

describe("the socket of the built server", () => {
  test("takes sockets from our own origins only, and nothing else at its path", async () => {
    const { url, port } = desk.server;
    expect(await outcomeOf(open())).toBe("connected");
    for (const origin of [`http://localhost:${port}`, `http://[::1]:${port}`]) {
      expect(await outcomeOf(open(url, { extraHeaders: { origin } }))).toBe("connected");
    }
    for (const extraHeaders of [{}, { origin: "http://evil.example" }, { origin: url, host: "evil.example" }]) {
      expect(await outcomeOf(open(url, { extraHeaders, reconnection: false }))).toMatch(/^refused/);
    }
    expect(await outcomeOf(open(url, { transports: ["polling"], reconnection: false }))).toMatch(/^refused/);
    expect((await ask({ port, path: "/socket.io/?EIO=4&transport=polling" })).status).toBeGreaterThanOrEqual(300);
    expect(await outcomeOf(open(url, { path: "/api/events", reconnection: false }))).toMatch(/^refused/);
  });

  test("P11: L2: what a route handler publishes arrives on the socket, once, in order, from the one runtime", async () => {
    const client = open();
    const heard = collect(client);
    const { position } = await watchAll(client);
    expect(position).toBe((await desk.get<EventPage>("/api/events?limit=1")).head);
    for (let n = 0; n < 3; n += 1) await desk.tell({ name: "list_notes" });
    const events = await stored(position);
    await eventually(() => expect(heard).toEqual(events));
    expect(heard.length).toBeGreaterThan(9);
    expect(desk.server.logged("info").filter(({ msg }) => msg === "recovered")).toHaveLength(1);
  });

  test("P11: an event that is too large is read over HTTP", async () => {
    const client = open();
    const heard = collect(client);
    const { position } = await watchAll(client);
    const text = "ü".repeat(20_000);
    await desk.post("/api/desks/majors/messages", { text });
    await eventually(() => expect(heard.some((event) => event.kind === "turn_ended")).toBe(true));
    const large = heard.filter((event) => event.payload === null);
    expect(large.length).toBeGreaterThan(0);
    for (const { position: at, size } of large) {
      const [whole] = await stored(at - 1);
      expect(size).toBe(Buffer.byteLength(JSON.stringify(whole)));
      expect(JSON.stringify(whole)).toContain(text);
    }
    expect(heard.map((event) => event.hash)).toEqual((await stored(position)).map((event) => event.hash));
  });

  test("P11: a snapshot that is read after an event says that it includes it", async () => {
    const client = open();
    const behind: string[] = [];
    const reads: Promise<void>[] = [];
    const check = async (path: string, position: number) => {
      const { asOf } = await desk.get<{ asOf: number }>(path);
      if (asOf < position) behind.push(`${path}: ${asOf} < ${position}`);
    };
    client.on("event", ({ position }) => {
      reads.push(check("/api/desks", position), check("/api/requests", position));
    });
    await watchAll(client);
    const { id } = await desk.hold("1000");
    const one = await desk.get<RequestReply>(`/api/requests/${id}`);
    const decision = { decision: "deny", digest: one.digest };
    const decided = await desk.post<RequestReply>(`/api/requests/${id}/decision`, decision);
    expect(decided).toMatchObject({ state: "denied" });
    await eventually(() => expect(reads.length).toBeGreaterThan(10));
    await Promise.all(reads);
    expect(behind).toEqual([]);
    const { desks, asOf } = await desk.get<{ desks: DeskView[]; asOf: number }>("/api/desks");
    expect(desks).toHaveLength(1);
    expect((await desk.get<EventPage>("/api/events?limit=1")).head).toBeGreaterThanOrEqual(asOf);
    const late = await desk.send(`/api/requests/${id}/decision`, { ...decision, decision: "approve" });
    expect((late.json as { error: { request: RequestView } }).error.request).toHaveProperty("asOf");
  });
});

test("P11: after a restart a socket is back by itself, and is told how far the record is", async () => {
  const first = await ToldDesk.start();
  const { port, dataDir } = first.server;
  const client = open(first.server.url);
  const heard = collect(client);
  await watchAll(client);
  const lost = new Promise<string>((gone) => client.once("disconnect", gone));
  first.server.process.kill("SIGKILL");
  expect(await lost).toMatch(/transport/);
  const back = new Promise<void>((connected) => client.once("connect", connected));
  const second = await ToldDesk.start({ port, dataDir });
  await back;
  const heads = await watchAll(client);
  expect(heads.position).toBe((await second.get<EventPage>("/api/events?limit=1")).head);
  heard.length = 0;
  await second.tell({ name: "list_notes" });
  const events = await stored(heads.position, second);
  await eventually(() => expect(heard).toEqual(events));
  client.disconnect();
  await second.server.kill();
  await first.server.kill();
});

test("a graceful stop closes the sockets and does not wait for them", async () => {
  const server = await startServer();
  const client = open(server.url, { reconnection: false });
  await watchAll(client);
  const lost = new Promise<string>((gone) => client.once("disconnect", gone));
  const asked = performance.now();
  expect(await server.stop()).toBe(0);
  expect(await lost).toMatch(/transport close/);
  expect(performance.now() - asked).toBeLessThan(2_500);
});

import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, askJson } from "#tests/support/http.ts";
import {
  freePort,
  ServerDidNotStart,
  startServer,
  type ServerOptions,
  type TestServer,
} from "#tests/support/server.ts";
import { ToldDesk, until } from "#tests/support/told-desk.ts";

let dataDir: string;
const running: TestServer[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "deskboard-start-"));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.kill()));
  await rm(dataDir, { recursive: true, force: true });
});

async function start(options: ServerOptions = {}): Promise<TestServer> {
  const server = await startServer({ dataDir, ...options });
  running.push(server);
  return server;
}

async function refusedStart(options: ServerOptions): Promise<string> {
  const error = await start(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServerDidNotStart);
  const { exitCode, output } = error as ServerDidNotStart;
  expect(exitCode).toBe(1);
  expect(output).toContain("Deskboard cannot start.");
  expect(output).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return output;
}

describe("a start that cannot be", () => {
  it("P14: names every wrong setting, and touches no data", async () => {
    const output = await refusedStart({ env: { LOG_LEVEL: "loud", HOST: "0.0.0.0", HOLD_MINUTES: "soon" } });
    expect(output).toContain('HOST is "0.0.0.0". Allowed: 127.0.0.1, ::1 or localhost');
    expect(output).toContain('HOLD_MINUTES is "soon".');
    expect(output).toContain('LOG_LEVEL is "loud".');
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("P16: says nothing of a key that is wrong", async () => {
    expect(await refusedStart({ env: { ANCHOR_KEY: "hunter2" } })).not.toContain("hunter2");
  });

  it("says that the port is taken, and how to take another", async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((listening) => other.listen(port, "127.0.0.1", listening));
    try {
      const output = await refusedStart({ port });
      expect(output).toContain(`Port ${port} on 127.0.0.1 is taken by another program. Set PORT to another one`);
    } finally {
      other.close();
    }
  });

  it("D2: says which process owns the data", async () => {
    const owner = await start();
    const output = await refusedStart({});
    expect(output).toContain(`process ${owner.process.pid}`);
    expect((await askJson(owner.port, "GET", "/api/health")).json).toMatchObject({ status: "ok" });
  });

  it("D2: of two at once on an empty folder one serves, and the other says who does", async () => {
    const starts = await Promise.allSettled([start(), start()]);
    const served = starts.filter((result) => result.status === "fulfilled");
    const refused = starts.filter((result) => result.status === "rejected");
    expect([served.length, refused.length]).toEqual([1, 1]);
    expect(refused[0]?.reason).toMatchObject({ output: expect.stringContaining("is in use by") });
    const port = served[0]?.value.port ?? 0;
    expect((await askJson(port, "GET", "/api/health")).json).toMatchObject({ status: "ok" });
  });
});

describe("a stop", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("by %s ends in order, with a kept connection open", async (signal) => {
    const server = await start();
    // fetch keeps its connection for the next request.
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
    const begun = Date.now();
    // A terminal and npm may each send theirs.
    server.process.kill(signal);
    server.process.kill(signal);
    expect(await server.ended).toBe(0);
    expect(Date.now() - begun).toBeLessThan(5_000);
    expect(server.logged("error")).toEqual([]);
  });

  /** A write whose headers the server has, and whose body it waits for. */
  async function writeUnderWay(server: TestServer): Promise<ClientRequest> {
    const headers = { "content-type": "application/json", "content-length": 2, expect: "100-continue" };
    const underWay = request({ port: server.port, method: "POST", path: "/api/pause-all", headers });
    underWay.flushHeaders();
    await once(underWay, "continue");
    return underWay;
  }

  const isStopping = (server: TestServer) => until(async () => server.output().includes("stopping") || undefined);

  it("answers what is under way, and takes nothing more", async () => {
    const server = await start();
    const underWay = await writeUnderWay(server);
    server.process.kill("SIGTERM");
    await isStopping(server);
    await expect(ask({ port: server.port, path: "/api/health" })).rejects.toMatchObject({ code: "ECONNREFUSED" });
    underWay.end("{}");
    const [answer] = (await once(underWay, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    answer.resume();
    expect(await server.ended).toBe(0);
  });

  it("that is asked for again, later, is at once", async () => {
    const server = await start();
    const underWay = await writeUnderWay(server);
    underWay.on("error", () => undefined);
    server.process.kill("SIGTERM");
    await isStopping(server);
    await new Promise((later) => setTimeout(later, 1_200));
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(1);
  });

  it("H2, P6: a hold that waits is the same card after it, and runs once when it is approved", async () => {
    const before = await ToldDesk.start({ dataDir });
    const held = await before.hold("700");
    expect(await before.server.stop()).toBe(0);

    const after = await ToldDesk.start({ dataDir });
    running.push(after.server);
    const again = await after.reply("readRequest", `/api/requests/${held.id}`);
    expect({ ...again, ticketNow: null }).toEqual({ ...held, ticketNow: null });
    const decision = { decision: "approve", digest: again.digest };
    expect((await after.send(`/api/requests/${held.id}/decision`, decision)).status).toBe(200);
    await after.inState(held.id, "completed");
    const { calls } = await after.reply("listCalls", "/api/calls?tool=place_order&status=succeeded");
    expect(calls).toHaveLength(1);
  });
});

describe("P16: the anchor key", () => {
  const anchorKey = 'hunter2 "quoted" hunter2';

  it("is in no log, event, answer or page", async () => {
    const desk = await ToldDesk.start({ dataDir, env: { ANCHOR_KEY: anchorKey, LOG_LEVEL: "debug" } });
    running.push(desk.server);
    await desk.hold("1");
    const { port } = desk.server;
    const seen = [desk.server.output()];
    for (const path of [
      "/",
      "/api/health",
      "/api/events",
      "/api/calls",
      "/api/requests",
      "/api/desks",
      "/api/nothing",
    ]) {
      const answer = await ask({ port, path });
      seen.push(answer.text, JSON.stringify(answer.headers));
    }
    await desk.server.stop();
    seen.push(desk.server.output());
    expect(seen.join("\n")).not.toContain("hunter2");
  });
});

import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "#tests/support/http.ts";
import { startServer, type TestServer } from "#tests/support/server.ts";
import { expectRefusal } from "./refusals.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  expect(server.logged("error")).toEqual([]);
  expect(await server.stop()).toBe(0);
});

const page = (path: string, headers = {}) => ask({ port: server.port, path, headers });

/** What comes back for bytes that no HTTP client would send; the connection has to end by itself. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => (text += part));
  socket.on("error", () => undefined);
  socket.write(bytes);
  await new Promise((closed) => socket.once("close", closed));
  return text;
}

describe("a page", () => {
  it("P12: runs only scripts with the nonce of its own answer", async () => {
    const nonces = new Set<string>();
    for (const path of ["/", "/", "/no-such-page"]) {
      const { headers, text } = await page(path);
      const policy = String(headers["content-security-policy"]);
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
      nonces.add(nonce);
      const scripts = text.match(/<script[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
      expect(text).not.toMatch(/<[^>]+\son\w+=/);
      expect(policy).toContain("frame-ancestors 'none'");
    }
    expect(nonces.size).toBe(3);
  });

  it("P12: takes its nonce from nobody else", async () => {
    const forged = "script-src 'nonce-forged'";
    const { headers, text } = await page("/", { "content-security-policy": forged, "x-nonce": "forged" });
    expect(`${String(headers["content-security-policy"])} ${text}`).not.toContain("forged");
  });

  it("P12: names no other origin that it would load from", async () => {
    const { text } = await page("/");
    const loaded = [...text.matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url ?? "",
    );
    expect(loaded.length).toBeGreaterThan(0);
    for (const url of loaded) expect(url).toMatch(/^\/(?!\/)/);
    for (const url of loaded) expect((await page(url)).status).toBe(200);
  });

  it("is not guessed at, framed, kept or told where one came from", async () => {
    expect((await page("/")).headers).toMatchObject({
      "cache-control": expect.stringContaining("no-store"),
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect((await page("/")).headers["x-powered-by"]).toBeUndefined();
  });

  it("P14: is for our own host only", async () => {
    for (const path of ["/", "/_next/static/nothing.js", "/no-such-page"]) {
      expectRefusal(await page(path, { host: "evil.example" }), { code: "forbidden_host" });
    }
    const { text, headers } = await page("/", { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" });
    expect(text + JSON.stringify(headers)).not.toContain("evil.example");
  });

  it("P14: takes no writes", async () => {
    const answer = await ask({
      port: server.port,
      method: "POST",
      path: "/",
      body: "a=b",
      headers: { "next-action": "x" },
    });
    expectRefusal(answer, { code: "method_not_allowed", limit: "GET, HEAD" });
  });

  it("that does not exist says so", async () => {
    const { status, headers } = await page("/no-such-page");
    expect(status).toBe(404);
    expect(headers["content-type"]).toMatch(/^text\/html/);
  });

  it.each(["/_next/image?url=https%3A%2F%2Fevil.example%2Fx.png&w=64&q=75", "/_next/data/x/api/health.json"])(
    "P12: fetches and shows nothing from elsewhere: %s",
    async (path) => {
      const { status } = await page(path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    },
  );
});

describe("what is no proper request", () => {
  const host = () => `127.0.0.1:${server.port}`;

  it("P14: gets the error form", async () => {
    const garbage = await raw("hello\r\n\r\n");
    expect(garbage).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(garbage.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: { code: "invalid" } });
    const headers = await raw(`GET / HTTP/1.1\r\nhost: ${host()}\r\nx: ${"y".repeat(20_000)}\r\n\r\n`);
    expect(headers).toMatch(/^HTTP\/1\.1 413 /);
    const twoLengths = await raw(
      `POST /api/pause-all HTTP/1.1\r\nhost: ${host()}\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
    );
    expect(twoLengths).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("P14: needs a host", async () => {
    expect(await raw("GET / HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 403 [^]*forbidden_host/);
    expect(await raw("GET / HTTP/1.1\r\nconnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  const upgrade = (path: string) =>
    raw(
      `GET ${path} HTTP/1.1\r\nhost: ${host()}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );

  it("an upgrade that nobody serves is ended", async () => {
    for (const path of ["/", "/_next/webpack-hmr"]) expect(await upgrade(path)).toBe("");
  });

  it("P10: a socket that names no origin is refused, in words", async () => {
    const answer = await upgrade("/socket.io/?EIO=4&transport=websocket");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/Sockets are opened by Deskboard's own pages only$/);
  });
});

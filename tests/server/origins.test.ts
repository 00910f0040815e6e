import { describe, expect, it } from "vitest";
import { checkHost, checkOrigin } from "#lib/server/origins.ts";

const local = { publicUrl: "http://127.0.0.1:3000", host: "127.0.0.1", port: 3000 } as const;
const behindProxy = { ...local, publicUrl: "https://desks.example.org" };

describe("the host of a request", () => {
  it.each(["127.0.0.1:3000", "localhost:3000", "LOCALHOST:3000", "[::1]:3000"])("%s is ours", (host) => {
    expect(() => checkHost(host, local)).not.toThrow();
  });

  it("the public address is ours too", () => {
    expect(() => checkHost("desks.example.org", behindProxy)).not.toThrow();
    expect(() => checkHost("localhost:3000", behindProxy)).not.toThrow();
  });

  it.each([
    "evil.example",
    "localhost",
    "localhost:3001",
    "localhost:3000.evil.example",
    "127.0.0.1.evil:3000",
    "",
    null,
  ])("P14: %j is refused", (host) => {
    expect(() => checkHost(host, local)).toThrow(
      expect.objectContaining({ code: "forbidden_host", details: expect.objectContaining({ field: "host" }) }),
    );
  });
});

describe("the origin of a write", () => {
  const check = (headers: Record<string, string>, address = local as typeof behindProxy) =>
    checkOrigin(new Headers(headers), address);

  it.each(["http://127.0.0.1:3000", "http://localhost:3000", "http://[::1]:3000"])("%s is ours", (origin) => {
    expect(() => check({ origin })).not.toThrow();
  });

  it("the public address is ours too", () => {
    expect(() => check({ origin: "https://desks.example.org" }, behindProxy)).not.toThrow();
  });

  it("a program that no page drives sends none", () => {
    expect(() => check({})).not.toThrow();
    expect(() => check({ "sec-fetch-site": "none" })).not.toThrow();
    expect(() => check({ "sec-fetch-site": "same-origin" })).not.toThrow();
  });

  const foreign = [
    "https://evil.example",
    "null",
    "http://localhost:3001",
    "https://localhost:3000",
    "http://localhost",
  ];
  it.each(foreign)("P14: %s is refused", (origin) => {
    expect(() => check({ origin })).toThrow(
      expect.objectContaining({ code: "forbidden_origin", details: expect.objectContaining({ given: origin }) }),
    );
  });

  it.each(["cross-site", "same-site"])("P14: a page's write without an origin is refused (%s)", (site) => {
    expect(() => check({ "sec-fetch-site": site })).toThrow(expect.objectContaining({ code: "forbidden_origin" }));
  });

  it("a foreign origin is not saved by what else it sends", () => {
    expect(() => check({ origin: "https://evil.example", "sec-fetch-site": "same-origin" })).toThrow(
      expect.objectContaining({ code: "forbidden_origin" }),
    );
  });
});

import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { admit } from "#lib/server/admit.ts";
import { readSettings } from "#lib/server/env.ts";

const settings = readSettings({ NODE_ENV: "production" });

function admitted(method: string, url: string, host = "localhost:3000"): string {
  return admit({ method, url, headers: { host } } as IncomingMessage, settings);
}

describe("a request before Next sees it", () => {
  it.each(["/api/health", "/api/desks/majors", "/api/events?after=3&q=100%25", "/api/openapi.json"])(
    "GET %s is the API's",
    (url) => {
      expect(admitted("GET", url)).toBe("api");
    },
  );

  it.each(["/", "/inbox", "/_next/static/chunks/app/%5Bdesk%5D/page.js", "/apiary", "/?q=%C3%BC"])(
    "GET %s is a page's",
    (url) => {
      expect(admitted("GET", url)).toBe("page");
      expect(admitted("HEAD", url)).toBe("page");
    },
  );

  it.each([
    ["/api", 404],
    ["/api/", 404],
    ["/api/nothing", 404],
    ["/API/desks", 404],
    ["/api/desks/", 404],
    ["//api/desks", 404],
    ["/api//desks", 404],
    ["/api/desks/a/b/c", 404],
    ["/api/desks/a%2Fb", 404],
    ["/api/desks/%00", 404],
    ["/api/desks/%6Dajors", 404],
    ["/%61pi/desks", 404],
    ["/x/../api/desks", 404],
    ["/x/%2e%2e/api/desks", 404],
    ["/x\\..\\api/desks", 404],
    ["/api/desks;x=1", 404],
    ["/api/desks/majors.rsc", 404],
    ["http://localhost:3000/api/desks", 404],
    ["*", 404],
    ["", 404],
    ["/%00", 404],
    ["/api/desks/%zz", 400],
    ["/%", 400],
    ["/api/desks/%ff", 400],
    ["/api/events?q=%zz", 400],
  ])("P14: GET %s is refused with %i", (url, status) => {
    const code = status === 404 ? "not_found" : "invalid";
    expect(() => admitted("GET", url)).toThrow(expect.objectContaining({ name: "AppError", code }));
  });

  it.each(["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "QUERY"])(
    "P14: %s /api/desks is refused",
    (method) => {
      expect(() => admitted(method, "/api/desks")).toThrow(
        expect.objectContaining({
          code: "method_not_allowed",
          details: { field: "method", limit: "GET, POST", given: method },
        }),
      );
    },
  );

  it.each([{ "content-length": "5" }, { "transfer-encoding": "chunked" }])(
    "P14: a read with a body is refused (%j)",
    (headers) => {
      const request = { method: "GET", url: "/api/desks", headers: { host: "localhost:3000", ...headers } };
      expect(() => admit(request as unknown as IncomingMessage, settings)).toThrow(
        expect.objectContaining({ code: "invalid", details: expect.objectContaining({ field: "body" }) }),
      );
    },
  );

  it("P14: pages take no writes", () => {
    expect(() => admitted("POST", "/")).toThrow(expect.objectContaining({ code: "method_not_allowed" }));
  });

  it("P14: a foreign host gets no page either", () => {
    expect(() => admitted("GET", "/", "evil.example")).toThrow(expect.objectContaining({ code: "forbidden_host" }));
  });
});

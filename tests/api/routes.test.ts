import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { limits } from "#lib/protocol/limits.ts";
import { routes, type Route } from "#lib/protocol/routes.ts";
import { ask, type HttpAnswer } from "#tests/support/http.ts";
import { startServer, type TestServer } from "#tests/support/server.ts";
import { expectRefusal } from "./refusals.ts";
import { bodies, pathOf } from "./samples.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  expect(server.logged("error")).toEqual([]);
  expect(await server.stop()).toBe(0);
});

const json = { "content-type": "application/json" };
const every = Object.entries<Route>(routes).map(([name, route]) => ({ name, route, path: pathOf(route) }));
const reading = every.filter(({ route }) => route.body === null);
const writing = every
  .filter(({ route }) => route.body !== null)
  .map((row) => ({ ...row, sample: (bodies as Record<string, object>)[row.name] ?? {} }));

function properties(schema: z.ZodType): string[] {
  const { properties: found } = z.toJSONSchema(schema, { io: "input" }) as { properties?: object };
  return Object.keys(found ?? {});
}

function sample(name: string): string | undefined {
  const body = (bodies as Record<string, object>)[name];
  return body && JSON.stringify(body);
}

function knock(
  route: Route,
  path: string,
  body?: Parameters<typeof ask>[0]["body"],
  headers: Record<string, string> = json,
) {
  return ask({ port: server.port, method: route.method, path, headers, ...(body !== undefined && { body }) });
}

async function expectHealthy(): Promise<void> {
  const health = await ask({ port: server.port, path: "/api/health" });
  expect(health.json).toMatchObject({ status: "ok" });
  expect(server.logged("error")).toEqual([]);
}

describe.each(every)("$name", ({ name, route, path }) => {
  const body = sample(name);
  const proper = (odd: string, headers = {}): Promise<HttpAnswer> => {
    return knock(route, odd, body, { ...(body !== undefined && json), ...headers });
  };

  it("P14: refuses names in the query that it does not know", async () => {
    expectRefusal(await proper(`${path}?nonsense=1`), { code: "unknown_field", field: "nonsense", given: '"1"' });
    expectRefusal(await proper(`${path}?constructor=1`), { code: "unknown_field", field: "constructor" });
    expectRefusal(await proper(`${path}?nonsense=1&nonsense=2`), { code: "invalid", field: "nonsense" });
    expectRefusal(await proper(`${path}?%00=1`));
  });

  it.each(["", "x".repeat(1000), "%00"])("P14: refuses %j for each name in the query", async (value) => {
    for (const field of properties(route.query)) {
      const error = expectRefusal(
        await proper(`${path}?${field}=${value.startsWith("%") ? value : encodeURIComponent(value)}`),
      );
      expect(error).toMatchObject({ field, limit: expect.any(String), given: expect.any(String) });
    }
  });

  it("P14: refuses a foreign host and, on a write, a foreign origin", async () => {
    expectRefusal(await proper(path, { host: "evil.example" }), { code: "forbidden_host", given: "evil.example" });
    if (route.method === "GET") return;
    for (const origin of ["https://evil.example", "null", `https://127.0.0.1:${server.port}`]) {
      expectRefusal(await proper(path, { origin }), { code: "forbidden_origin", field: "origin", given: origin });
    }
    expectRefusal(await proper(path, { "sec-fetch-site": "cross-site" }), { code: "forbidden_origin" });
  });

  it("P14: answers odd paths in the error form", async () => {
    const odd = [
      "/",
      "//",
      "%zz",
      "%2F",
      "%00",
      "/%00",
      "/..",
      "/%2e%2e/x",
      "/more/and/more",
      ".rsc",
      ";a=b",
      "%E0%A4%A",
    ];
    for (const end of odd) expectRefusal(await proper(path + end));
    for (const start of ["/", "/x/..", "/%2e", "/."]) expectRefusal(await proper(start + path));
    expectRefusal(await proper(path.toUpperCase()));
    expectRefusal(await proper(path.replace("/api", "/%61pi")));
  });

  it("P14: refuses other methods, naming those that there are", async () => {
    const methods = every.filter((other) => other.route.path === route.path).map((other) => other.route.method);
    for (const method of ["PUT", "DELETE", "OPTIONS", "HEAD", "POST", "PATCH", "GET"]) {
      if (methods.includes(method as Route["method"])) continue;
      const answer = await ask({ port: server.port, method, path, headers: method === "HEAD" ? {} : json });
      expect(answer.status).toBe(405);
      expect(answer.headers["allow"]).toBe(methods.join(", "));
      if (method !== "HEAD")
        expectRefusal(answer, { code: "method_not_allowed", limit: methods.join(", "), given: method });
    }
  });

  it("P14: what its path names and does not exist is not found", async () => {
    if (route.path === path) return;
    expectRefusal(await proper(path), { code: "not_found" });
  });

  it("P14: is not led astray by headers of other protocols", async () => {
    if (route.method !== "GET") return;
    const plain = await proper(path);
    const odd = [
      { rsc: "1", "next-router-state-tree": "%zz", "next-url": "/" },
      { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
      {
        "x-nextjs-data": "1",
        "x-matched-path": "/",
        "x-invoke-path": "/",
        "x-middleware-subrequest": "src/middleware",
      },
      {
        "x-http-method-override": "DELETE",
        "x-forwarded-host": "evil.example",
        range: "bytes=0-1",
        expect: "nonsense",
      },
    ];
    for (const headers of odd) {
      const answer = await proper(path, headers);
      expect([answer.status, Object.keys(answer.json ?? {})]).toEqual([plain.status, Object.keys(plain.json ?? {})]);
    }
  });

  it("the server is as well as before", expectHealthy);
});

describe.each(reading)("$name reads", ({ route, path }) => {
  it("P14: refuses a body", async () => {
    expectRefusal(await knock(route, path, "{}"), { code: "invalid", field: "body", given: "2 bytes" });
    expectRefusal(await knock(route, path, [Buffer.from("{}")], { "transfer-encoding": "chunked" }), {
      code: "invalid",
      field: "body",
    });
    expectRefusal(await knock(route, path, Buffer.alloc(limits.bodyBytes + 1, "a")), { field: "body" });
  });

  const cursors = properties(route.query).filter((field) => ["after", "before"].includes(field));
  it.each(["x", "-1", "1.5", "1e3", "0x10", "99999999999999999999", " 1", "1,2", "null"])(
    "P14: refuses %j as a cursor",
    async (cursor) => {
      for (const field of cursors) {
        expectRefusal(await knock(route, `${path}?${field}=${encodeURIComponent(cursor)}`, undefined, {}), {
          code: "bad_cursor",
          field,
          given: expect.stringContaining(cursor) as unknown as string,
        });
      }
    },
  );
});

describe.each(writing)("$name writes", ({ route, path, sample: valid }) => {
  const send = (body: unknown) => knock(route, path, typeof body === "string" ? body : JSON.stringify(body));

  it("P14: refuses no body", async () => {
    expectRefusal(await knock(route, path), { code: "bad_json", field: "body", given: "nothing" });
    expectRefusal(await knock(route, path, "   "), { code: "bad_json", field: "body", given: "nothing" });
    expectRefusal(await knock(route, path, undefined, {}), { code: "unsupported_media_type", given: "nothing" });
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
  ])("P14: refuses %s", async (contentType) => {
    const answer = await knock(route, path, JSON.stringify(valid), { "content-type": contentType });
    expectRefusal(answer, { code: "unsupported_media_type", field: "content-type", limit: "application/json" });
  });

  it("P14: refuses what is not JSON", async () => {
    for (const text of ["{", "{]", "{bad}", "a=b", '{"a":1}}', '{"a":01}', "\u0000", '"\ud83d'.slice(0, 1)]) {
      expectRefusal(await send(text), { code: "bad_json", field: "body" });
    }
    expectRefusal(await knock(route, path, new Uint8Array([0x7b, 0xff, 0x7d])), { code: "bad_json", field: "body" });
  });

  it("P14: refuses what is not an object", async () => {
    for (const value of [null, true, 3, [], [{}]]) {
      expectRefusal(await send(value), { code: "invalid", field: "body", given: JSON.stringify(value) });
    }
    expectRefusal(await send('"text"'), { code: "invalid", field: "body", given: '"text"' });
  });

  it("P14: refuses names that it does not know", async () => {
    expectRefusal(await send({ ...valid, nonsense: 1 }), { code: "unknown_field", field: "nonsense", given: "1" });
    expectRefusal(
      await send(
        JSON.stringify(valid).replace(
          /^\{/,
          valid && Object.keys(valid).length ? '{"__proto__":{"a":1},' : '{"__proto__":1',
        ),
      ),
      {
        code: "unknown_field",
        field: "__proto__",
      },
    );
  });

  it("P14: refuses the same name twice", async () => {
    const twice = '{"nonsense":1,"nonsense":2}';
    expectRefusal(await send(twice), { code: "bad_json", field: "nonsense" });
  });

  it("P14: refuses the wrong types, by field", async () => {
    const fields = Object.keys(valid).filter((field) => field !== "arguments");
    for (const field of fields) {
      for (const value of [{ a: 1 }, [[1]], 3.5, null]) {
        const error = expectRefusal(await send({ ...valid, [field]: value }));
        expect(error.field, JSON.stringify(value)).toMatch(new RegExp(`^${field}\\b`));
        expect(error).toMatchObject({ limit: expect.any(String), given: expect.any(String) });
      }
    }
  });

  it("P14: refuses what is too long, by field", async () => {
    const texts = Object.entries(valid).filter(([, value]) => typeof value === "string");
    for (const [field] of texts) {
      expectRefusal(await send({ ...valid, [field]: "x".repeat(200_000) }), { code: "invalid", field });
    }
  });

  it("P14: refuses numbers that would lose digits, by value", async () => {
    expectRefusal(await send('{"nonsense":9007199254740993}'), { code: "invalid", given: "9007199254740993" });
  });

  it("P14: refuses deep nesting", async () => {
    expectRefusal(await send(`{"arguments":${"[".repeat(200)}${"]".repeat(200)}}`), { code: "bad_json" });
    expectRefusal(await send(`${'{"a":'.repeat(300_000)}1${"}".repeat(300_000)}`), { code: "bad_json" });
  });

  it("P14: refuses a huge body, declared or not", async () => {
    const limit = `${limits.bodyBytes} bytes`;
    const huge = Buffer.alloc(limits.bodyBytes + 1, "a");
    expectRefusal(await knock(route, path, huge), {
      code: "too_large",
      field: "body",
      limit,
      given: `${huge.length} bytes`,
    });
    const chunks = Array.from({ length: 9 }, () => Buffer.alloc(1024 * 1024, "a"));
    expectRefusal(await knock(route, path, chunks), { code: "too_large", field: "body", limit });
  });

  it("the server is as well as before", expectHealthy);
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { AppError } from "#lib/core/app-error.ts";
import { errorBodySchema } from "#lib/protocol/errors.ts";
import { routes } from "#lib/protocol/routes.ts";
import { door } from "#lib/server/door.ts";
import { readSettings } from "#lib/server/env.ts";
import { createLog } from "#lib/server/log.ts";
import { publishRuntime } from "#lib/server/runtime-handle.ts";
import { MemoryServices } from "#tests/support/memory-services.ts";

let services: MemoryServices;
let logged = "";

beforeEach(() => {
  services = new MemoryServices();
  logged = "";
  const log = createLog({ logLevel: "info", anchorKey: null }, (line) => (logged += line));
  const settings = readSettings({ OPERATOR_NAME: "ann" });
  publishRuntime({ services, settings, log, recordFailure: () => null });
});

afterEach(() => publishRuntime(null));

type Handler = ReturnType<typeof door>;

async function knock(handler: Handler, init: RequestInit = {}, path = "/", params = {}) {
  const headers = new Headers(init.headers);
  if (!headers.has("host")) headers.set("host", "localhost:3000");
  const response = await handler(new Request(`http://localhost:3000${path}`, { ...init, headers }), {
    params: Promise.resolve(params),
  });
  return { response, body: (await response.json()) as unknown };
}

const json = (body: unknown, headers = {}): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
});

const createDesk = door(routes.createDesk, async ({ body, person, services: s }) => s.createDesk(body, person));
const readDesk = door(routes.readDesk, async ({ params, services: s }) => s.readDesk(params.desk));
const desk = { name: "majors", backends: ["playbook:trend"], toolsets: ["market"] };

describe("a door", () => {
  it("parses, calls and answers with the route's status", async () => {
    const { response, body } = await knock(createDesk, json(desk));
    expect(response.status).toBe(201);
    expect(body).toMatchObject({ name: "majors", instructions: "", caps: { callsPerTurn: 100 } });
    expect(logged).toBe("");
  });

  it("answers are not kept, not guessed at and not embedded", async () => {
    const { response } = await knock(createDesk, json(desk));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
  });

  it("tells who asks", async () => {
    const who = door(routes.pauseAll, async ({ person }) => ({ paused: [person.name] }));
    expect((await knock(who, json({}))).body).toEqual({ paused: ["ann"] });
  });

  it("maps what a service refuses once", async () => {
    const { response, body } = await knock(readDesk, {}, "/", { desk: "nobody" });
    expect(response.status).toBe(404);
    expect(errorBodySchema.parse(body).error).toMatchObject({ code: "not_found", field: "desk", given: "nobody" });
  });

  it("P5: the decision that won goes with the 409", async () => {
    const refuse = door(routes.pauseAll, async () => {
      throw new AppError("already_decided", "R-1 was denied by bob", { request: { id: "r", decidedBy: "bob" } });
    });
    const { response, body } = await knock(refuse, json({}));
    expect(response.status).toBe(409);
    expect(errorBodySchema.parse(body).error.request).toEqual({ id: "r", decidedBy: "bob" });
  });

  it("knows an expected error of another copy of the module", async () => {
    const twin = Object.assign(new Error("the desk is paused"), {
      name: "AppError",
      code: "desk_not_active",
      details: {},
    });
    const refuse = door(routes.pauseAll, async () => Promise.reject(twin));
    expect((await knock(refuse, json({}))).response.status).toBe(409);
  });

  it.each([new Error("secret detail"), new AppError("internal", "secret detail"), "secret detail", undefined])(
    "P16: a bug (%s) is logged, and answered without detail",
    async (bug) => {
      const broken = door(routes.pauseAll, async () => Promise.reject(bug));
      const { response, body } = await knock(broken, json({}));
      expect(response.status).toBe(500);
      expect(errorBodySchema.parse(body).error.code).toBe("internal");
      expect(JSON.stringify(body)).not.toContain("secret");
      expect(logged).toContain("a request failed by a bug");
    },
  );

  it("P16: what was given is shortened, and a secret in it is hidden", async () => {
    const long = await knock(createDesk, json({ ...desk, name: "É".repeat(5000) }));
    expect(errorBodySchema.parse(long.body).error.given?.length).toBeLessThan(300);
    const refuse = door(routes.pauseAll, async () => {
      throw new AppError("invalid", "no", { given: "Authorization: Bearer abc.def" });
    });
    expect(JSON.stringify((await knock(refuse, json({}))).body)).not.toContain("abc.def");
    const named = await knock(createDesk, json({ ...desk, apiKey: "abc.def" }));
    expect(errorBodySchema.parse(named.body).error).toMatchObject({ field: "apiKey", given: "[hidden]" });
  });

  it.each([
    [
      { ...desk, nam: 1 },
      { code: "unknown_field", field: "nam", given: "1" },
    ],
    [
      { ...desk, caps: { callsPerTurns: 3 } },
      { code: "unknown_field", field: "caps.callsPerTurns" },
    ],
    [
      { ...desk, caps: { callsPerTurn: 0 } },
      { code: "invalid", field: "caps.callsPerTurn", limit: "at least 1", given: "0" },
    ],
    [
      { ...desk, caps: { callsPerTurn: "3" } },
      { code: "invalid", field: "caps.callsPerTurn", given: '"3"' },
    ],
    [
      { ...desk, backends: [] },
      { code: "invalid", field: "backends", limit: "at least 1 items" },
    ],
    [
      { ...desk, backends: ["a", 3] },
      { code: "invalid", field: "backends[1]", given: "3" },
    ],
    [
      { backends: ["a"], toolsets: ["b"] },
      { code: "invalid", field: "name", given: "nothing" },
    ],
    [[], { code: "invalid", field: "body", given: "[]" }],
    [null, { code: "invalid", field: "body", given: "null" }],
  ])("P14: a wrong body %j names field, limit and what was given", async (given, error) => {
    const { response, body } = await knock(createDesk, json(given));
    expect(response.status).toBe(400);
    expect(errorBodySchema.parse(body).error).toMatchObject(error);
  });

  const listEvents = door(routes.listEvents, async ({ query, services: s }) => s.listEvents(query));
  it.each([
    ["?after=x", { code: "bad_cursor", field: "after", given: '"x"' }],
    ["?before=-1", { code: "bad_cursor", field: "before" }],
    ["?after=99999999999999999999", { code: "bad_cursor", field: "after" }],
    ["?after=1&before=2", { code: "invalid", field: "after" }],
    ["?after=1&after=2", { code: "invalid", field: "after", limit: "must be given once" }],
    ["?limit=501", { code: "invalid", field: "limit", limit: "at most 500" }],
    ["?limit=0", { code: "invalid", field: "limit" }],
    ["?kind=message,nonsense", { code: "invalid", field: "kind", given: '"message,nonsense"' }],
    ["?q=%00", { code: "invalid", field: "q" }],
    ["?nonsense=1", { code: "unknown_field", field: "nonsense", given: '"1"' }],
    ["?__proto__=1", { code: "unknown_field", field: "__proto__" }],
  ])("P14: a wrong query %s names field, limit and what was given", async (query, error) => {
    const { response, body } = await knock(listEvents, {}, `/${query}`);
    expect(response.status).toBe(400);
    expect(errorBodySchema.parse(body).error).toMatchObject(error);
  });

  it("P14: a parameter that can name nothing is not found", async () => {
    for (const name of ["a/b", "a\0", "ü", "..", " ", "x".repeat(101)]) {
      expect((await knock(readDesk, {}, "/", { desk: name })).response.status).toBe(404);
    }
  });

  it("checks host and origin itself, before anything else", async () => {
    const foreignHost = await knock(createDesk, json({}, { host: "evil.example" }));
    expect(foreignHost.response.status).toBe(403);
    const foreignOrigin = await knock(createDesk, json({}, { origin: "https://evil.example" }));
    expect(errorBodySchema.parse(foreignOrigin.body).error.code).toBe("forbidden_origin");
    expect(services.desks.size).toBe(0);
  });

  it("a reply that is not as promised is a line in the log, not a failure of what was done", async () => {
    const odd = { ...routes.pauseAll, reply: z.object({ paused: z.string().max(1) }) };
    const { response } = await knock(
      door(odd, async () => ({ paused: "all" })),
      json({}),
    );
    expect(response.status).toBe(200);
    expect(logged).toContain("a reply is not as its route says");
  });
});

import { describe, expect, it } from "vitest";
import { routes } from "#lib/protocol/routes.ts";
import { openApiDocument } from "#lib/server/openapi.ts";

type Operation = { operationId: string; parameters: { name: string; in: string }[]; requestBody?: unknown };
const document = openApiDocument("1.2.3") as {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
};

describe("the OpenAPI document", () => {
  it("is version 3.1 and serialises", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.2.3" } });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it.each(Object.entries(routes))("describes %s", (name, route) => {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    const operation = document.paths[path]?.[route.method.toLowerCase()];
    expect(operation?.operationId).toBe(name);
    expect(Boolean(operation?.requestBody)).toBe(route.body !== null);
    const inPath = operation?.parameters
      .filter((parameter) => parameter.in === "path")
      .map(({ name: text }) => `{${text}}`);
    expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? []);
  });

  it("names the query's parameters", () => {
    const names = document.paths["/api/events"]?.["get"]?.parameters.map((parameter) => parameter.name);
    expect(names).toEqual(["desk", "kind", "tool", "trigger", "q", "after", "before", "limit"]);
  });
});

import { z } from "zod";
import { errorBodySchema } from "#lib/protocol/errors.ts";
import { routes, type Route } from "#lib/protocol/routes.ts";

type JsonSchema = Record<string, unknown>;

let document: JsonSchema | undefined;

/** The table of routes as an OpenAPI 3.1 document, made from the schemas that the doors parse with. */
export function openApiDocument(version: string): JsonSchema {
  document ??= {
    openapi: "3.1.0",
    info: { title: "Deskboard", version },
    paths: pathItems(),
    components: { schemas: { Error: schemaOf(errorBodySchema, "output") } },
  };
  return document;
}

function pathItems(): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return paths;
}

function operation(name: string, route: Route): JsonSchema {
  const body = route.body && {
    required: true,
    content: { "application/json": { schema: schemaOf(route.body, "input") } },
  };
  return {
    operationId: name,
    summary: route.summary,
    "x-role": route.role,
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(body && { requestBody: body }),
    responses: {
      [route.status]: { description: route.summary, content: replyContent(route) },
      default: {
        description: "What is wrong",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function replyContent({ reply }: Route): JsonSchema {
  if (!reply) return { "image/png": {}, "image/jpeg": {}, "image/webp": {} };
  return { "application/json": { schema: schemaOf(reply, "output") } };
}

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => {
    return { name, in: "path", required: true, schema: { type: "string" } };
  });
}

function queryParameters(query: z.ZodType): JsonSchema[] {
  const schema = schemaOf(query, "input");
  const required = (schema["required"] ?? []) as string[];
  return Object.entries((schema["properties"] ?? {}) as JsonSchema).map(([name, property]) => {
    return { name, in: "query", required: required.includes(name), schema: property };
  });
}

/** OpenAPI 3.1 speaks JSON Schema 2020-12, which is what zod writes. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
  return rest;
}

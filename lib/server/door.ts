import type { z } from "zod";
import { AppError } from "#lib/core/app-error.ts";
import type { Route } from "#lib/protocol/routes.ts";
import { apiHeaders } from "./answer-headers.ts";
import { describeIssue } from "./describe-issue.ts";
import { discardBody } from "./discard-body.ts";
import { errorForm } from "./error-form.ts";
import { readJsonBody } from "./json-body.ts";
import { checkHost, checkOrigin } from "./origins.ts";
import { readQuery } from "./read-query.ts";
import { isParameter, type ParameterNames } from "./route-match.ts";
import { getRuntime, type RuntimeHandle } from "./runtime-handle.ts";
import type { Person, Services } from "./services.ts";

/** What a handler gets: everything parsed and allowed. */
export interface Entry<R extends Route> {
  params: Record<ParameterNames<R["path"]>, string>;
  query: z.output<R["query"]>;
  body: R["body"] extends z.ZodType ? z.output<R["body"]> : null;
  /** Who asks: the local operator, until there are accounts. */
  person: Person;
  services: Services;
}

/** What a handler gives: the reply of its route, or a whole `Response` where that is not JSON. */
export type Reply<R extends Route> = R["reply"] extends z.ZodType ? z.input<R["reply"]> : Response;

/** A route handler as Next calls it; where the path has no parameters, `params` is undefined whatever its type says. */
type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string> | undefined> },
) => Promise<Response>;

/**
 * Makes the handler of a route. It checks the host, the origin of a write, the path's parameters, the query and the body
 * against the route's schemas, calls `handle`, and answers; whatever is wrong comes out in the one error form.
 */
export function door<R extends Route>(route: R, handle: (entry: Entry<R>) => Promise<Reply<R>>): RouteHandler {
  return async (request, context) => {
    const runtime = getRuntime();
    try {
      const entry = await enter(route, request, (await context.params) ?? {}, runtime);
      return answer(route, await handle(entry), runtime);
    } catch (error) {
      const { status, body } = errorForm(error, runtime.log);
      await discardBody(request.body);
      return Response.json(body, { status, headers: apiHeaders });
    }
  };
}

async function enter<R extends Route>(
  route: R,
  request: Request,
  params: Record<string, string>,
  { services, settings }: RuntimeHandle,
): Promise<Entry<R>> {
  checkHost(request.headers.get("host"), settings);
  if (route.method !== "GET") checkOrigin(request.headers, settings);
  checkParameters(params);
  const query = readQuery(new URL(request.url).searchParams, route.query);
  const body = route.body ? await readBody(request, route.body) : null;
  const entry = { params, query, body, person: { name: settings.operatorName }, services };
  return entry as unknown as Entry<R>;
}

function answer(route: Route, reply: unknown, { log }: RuntimeHandle): Response {
  if (reply instanceof Response) return reply;
  // The work is done and may not be undone by saying that it failed: a reply that is not as promised is a line in the
  // log, and in the tests a failure.
  const checked = route.reply?.safeParse(reply);
  if (checked?.error) log.error({ path: route.path, issues: checked.error.issues }, "a reply is not as its route says");
  return Response.json(reply, { status: route.status, headers: apiHeaders });
}

function checkParameters(params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) {
    if (isParameter(value)) continue;
    throw new AppError("not_found", `There is no such ${name}`, { field: name, given: value });
  }
}

async function readBody(request: Request, schema: z.ZodType): Promise<unknown> {
  const given = await readJsonBody(request);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw describeIssue(parsed.error.issues[0]!, given, "body");
}

import { z } from "zod";
import { errorBodySchema } from "#lib/protocol/errors.ts";
import { type RouteName, routes } from "#lib/protocol/routes.ts";
import { RequestFailed } from "./request-failed.ts";
import { noteServerDate } from "./server-clock.ts";

// The content security policy forbids code from strings, which zod would otherwise try.
z.config({ jitless: true });

const timeoutMs = 10_000;

type Schema<N extends RouteName, Part extends "body" | "reply"> = (typeof routes)[N][Part];
type BodyOf<N extends RouteName> = Schema<N, "body"> extends z.ZodType ? z.input<Schema<N, "body">> : undefined;
type ReplyOf<N extends RouteName> = Schema<N, "reply"> extends z.ZodType ? z.output<Schema<N, "reply">> : never;

interface CallOptions<N extends RouteName> {
  /** What stands for `:name` in the path. */
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: BodyOf<N>;
  signal?: AbortSignal;
}

/** The path of a route with its parameters and its query. */
export function pathOf(
  name: RouteName,
  params: Record<string, string> = {},
  query: CallOptions<RouteName>["query"] = {},
): string {
  const path = routes[name].path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ""));
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
  return search === "" ? path : `${path}?${search}`;
}

/**
 * Calls a route of the server and gives its parsed reply. The only place of the page that fetches.
 * @throws RequestFailed
 */
export async function callRoute<N extends RouteName>(name: N, options: CallOptions<N> = {}): Promise<ReplyOf<N>> {
  const { params, query, body, signal } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(pathOf(name, params, query), {
      method: routes[name].method,
      headers: { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      cache: "no-store",
    });
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new RequestFailed("unreachable", "The server cannot be reached.", { cause });
  }
  noteServerDate(response.headers.get("date"), Date.now());
  return readReply(name, response, text);
}

function readReply<N extends RouteName>(name: N, response: Response, text: string): ReplyOf<N> {
  const json = parseJson(text);
  if (!response.ok) {
    const failure = errorBodySchema.safeParse(json);
    if (failure.success) {
      const { code, message, ...details } = failure.data.error;
      throw new RequestFailed(code, message, details);
    }
    throw new RequestFailed("unreadable", `The server answered ${response.status} and did not say why.`);
  }
  const reply = routes[name].reply?.safeParse(json);
  if (reply?.success) return reply.data as ReplyOf<N>;
  throw new RequestFailed("unreadable", "The server's answer could not be read. Does this page need a reload?", {
    cause: reply?.error,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

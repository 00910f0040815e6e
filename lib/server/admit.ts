import type { IncomingMessage } from "node:http";
import { AppError } from "#lib/core/app-error.ts";
import type { Settings } from "./env.ts";
import { checkHost } from "./origins.ts";
import { matchRoute } from "./route-match.ts";

/**
 * Looks at a request before Next does, which would answer some of these with a page, a redirect or a 500: a foreign
 * host, a path in a spelling that browsers never send, an API path that does not exist or lacks the method.
 * @returns what it is for.
 * @throws AppError `forbidden_host`, `invalid`, `not_found` or `method_not_allowed`.
 */
export function admit(request: IncomingMessage, settings: Settings): "api" | "page" {
  checkHost(request.headers.host, settings);
  const method = request.method ?? "";
  const [path = "", ...query] = (request.url ?? "").split("?");
  const plainPath = decoded(path, "path");
  decoded(query.join("?"), "query");
  if (isOddPath(path, plainPath))
    throw new AppError("not_found", "There is nothing at this path", { field: "path", given: path });
  if (/^\/api(\/|$)/i.test(plainPath)) {
    // The names and ids in API paths need no encoding, so that each path has one spelling.
    if (matchRoute(method, path).body === null) checkNoBody(request);
    return "api";
  }
  if (settings.development || method === "GET" || method === "HEAD") return "page";
  const limit = "GET, HEAD";
  throw new AppError("method_not_allowed", `Pages do not take ${method}`, { field: "method", limit, given: method });
}

/** A body that no handler reads has to be refused here, where it can be read away. */
function checkNoBody({ headers }: IncomingMessage): void {
  const length = headers["content-length"];
  if (!headers["transfer-encoding"] && (length === undefined || length === "0")) return;
  const given = length === undefined ? "a body" : `${length} bytes`;
  throw new AppError("invalid", "This path takes no body", { field: "body", limit: "nothing", given });
}

function decoded(text: string, field: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AppError("invalid", `The ${field} is not well encoded`, {
      field,
      limit: "percent-encoded UTF-8",
      given: text,
    });
  }
}

function isOddPath(path: string, plainPath: string): boolean {
  // oxlint-disable-next-line no-control-regex -- a control character in a path is what is refused
  if (!path.startsWith("/") || /\/\/|\\|[\u0000-\u001f]/.test(plainPath)) return true;
  return new URL(path, "http://localhost").pathname !== path;
}

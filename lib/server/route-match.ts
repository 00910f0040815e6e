import { AppError } from "#lib/core/app-error.ts";
import { routes, type Route } from "#lib/protocol/routes.ts";

const parameter = /^[A-Za-z0-9_-]{1,100}$/;

/** The names of a path's parameters, as a type: `/api/desks/:desk` has `desk`. */
export type ParameterNames<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? ParameterNames<Head> | ParameterNames<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never;

/** Whether a parameter of a path can name anything: names and ids are letters, digits, `_` and `-`. */
export function isParameter(text: string): boolean {
  return parameter.test(text);
}

/**
 * Finds the route of an API path that was asked for.
 * @throws AppError `not_found` where there is none, `method_not_allowed` where it has not that method.
 */
export function matchRoute(method: string, path: string): Route {
  const found = Object.values(routes).filter((route) => matches(route.path, path));
  const route = found.find((candidate) => candidate.method === method);
  if (route) return route;
  if (found.length === 0) {
    throw new AppError("not_found", "There is nothing at this path", { field: "path", given: path });
  }
  throw new AppError("method_not_allowed", `This path does not take ${method}`, {
    field: "method",
    limit: found.map((candidate) => candidate.method).join(", "),
    given: method,
  });
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return false;
  return wanted.every((part, index) => {
    const text = given[index] ?? "";
    return part.startsWith(":") ? isParameter(text) : part === text;
  });
}

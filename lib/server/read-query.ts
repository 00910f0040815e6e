import type { z } from "zod";
import { AppError } from "#lib/core/app-error.ts";
import { describeIssue } from "./describe-issue.ts";

const cursors = new Set<PropertyKey | undefined>(["after", "before"]);

/**
 * Reads the query of a request by its schema.
 * @throws AppError `invalid`, `unknown_field` or, for a cursor that is none, `bad_cursor`.
 */
export function readQuery<S extends z.ZodType>(search: URLSearchParams, schema: S): z.output<S> {
  const given: Record<string, string> = {};
  for (const [name, value] of search) {
    if (Object.hasOwn(given, name)) throw wrong(name, "must be given once", [given[name], value].join(" and "));
    if (value.includes("\0")) throw wrong(name, "must be text without NUL", JSON.stringify(value));
    Object.defineProperty(given, name, { value, enumerable: true, configurable: true });
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const error = describeIssue(issue, given, "query");
  const badCursor = issue.code !== "custom" && issue.path.length === 1 && cursors.has(issue.path[0]);
  throw badCursor ? new AppError("bad_cursor", error.message, error.details) : error;
}

function wrong(field: string, limit: string, given: string): AppError {
  return new AppError("invalid", `${field} ${limit}`, { field, limit, given });
}

import type { z } from "zod";
import { AppError } from "#lib/core/app-error.ts";
import { shortValue } from "#lib/core/canonical.ts";
import { hidden, isSecretName } from "./redact.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * What a schema found wrong, as an error that names the field, the limit and what was given.
 * @param whole what was parsed, to quote from.
 * @param what `body`, `query` or `message`: the field's name where the whole is wrong.
 */
export function describeIssue(issue: Issue, whole: unknown, what: "body" | "query" | "message"): AppError {
  if (issue.code === "invalid_union" && issue.errors[0]?.[0]) {
    const inner = issue.errors[0][0];
    return describeIssue({ ...inner, path: [...issue.path, ...inner.path] }, whole, what);
  }
  if (issue.code === "unrecognized_keys") {
    const path = [...issue.path, issue.keys[0] ?? ""];
    return new AppError("unknown_field", `${fieldName(path, what)} is not a field of this ${what}`, {
      field: fieldName(path, what),
      limit: "only the fields that the API names",
      given: quote(path, whole),
    });
  }
  // A query is flat: what lies deeper is a part of a value that a schema has taken apart.
  const path = what === "query" ? issue.path.slice(0, 1) : issue.path;
  const field = fieldName(path, what);
  const missing = valueAt(whole, path) === undefined;
  const limit = limitOf(issue);
  return new AppError("invalid", missing ? `${field} is missing: ${limit}` : `${field}: ${limit}`, {
    field,
    limit,
    given: missing ? "nothing" : quote(path, whole),
  });
}

/** `answers[0].optionIds` */
export function fieldName(path: Path, what: string): string {
  if (path.length === 0) return what;
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? String(part) : `${name}.${String(part)}`;
  }, "");
}

function limitOf(issue: Issue): string {
  switch (issue.code) {
    case "too_big":
      return `at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "too_small":
      return `at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "invalid_type":
      if (issue.expected === "nonoptional") return "must be given";
      return `must be ${issue.expected === "object" ? "a JSON object" : `of type ${issue.expected}`}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    default:
      return issue.message;
  }
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " items" : "";
}

function quote(path: Path, whole: unknown): string {
  if (path.some((part) => typeof part === "string" && isSecretName(part))) return hidden;
  return shortValue(valueAt(whole, path));
}

function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>((here, part) => {
    const held = typeof here === "object" && here !== null && Object.hasOwn(here, part);
    return held ? (here as Record<PropertyKey, unknown>)[part] : undefined;
  }, whole);
}

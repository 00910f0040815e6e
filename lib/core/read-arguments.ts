import type { z } from "zod";
import type { Json, JsonObject } from "#lib/protocol/json.ts";
import { limits } from "#lib/protocol/limits.ts";
import { canonicalJson, isLossless, losslessReplacer, shortValue } from "./canonical.ts";
import type { Tool } from "./tool.ts";

/** Arguments as given, in the three states that the record keeps apart: absent (null), `"null"`, and JSON text. */
export function argumentsText(given: unknown): string | null {
  if (given === undefined) return null;
  try {
    return JSON.stringify(given, losslessReplacer)?.toWellFormed() ?? null;
  } catch (error) {
    return JSON.stringify(`not JSON: ${String(error)}`);
  }
}

/** One thing that is wrong with arguments: where, what is allowed and what was given. */
export interface ArgumentIssue {
  field: string;
  message: string;
  given: string;
}

export type ReadArguments = { ok: true; value: JsonObject; canonical: string } | { ok: false; issues: ArgumentIssue[] };

/**
 * Validates and normalises the arguments of a call by the one strict policy: nothing is coerced, nothing is dropped. It
 * never throws: a schema that does, or that makes what is not JSON, is an issue too.
 */
export function readArguments(tool: Tool, given: unknown): ReadArguments {
  try {
    return checked(tool, given);
  } catch (error) {
    const message = `could not be read by ${tool.name}: ${error instanceof Error ? error.message : "it threw"}`;
    return { ok: false, issues: [{ field: "arguments", message, given: shortValue(given) }] };
  }
}

function checked(tool: Tool, given: unknown): ReadArguments {
  const issues: ArgumentIssue[] = [];
  if (given !== undefined && !isPlainObject(given)) {
    issues.push({ field: "arguments", message: "must be a JSON object", given: shortValue(given) });
    return { ok: false, issues };
  }
  const clean = cleanValue(given ?? {}, "", 1, issues);
  if (issues.length > 0) return { ok: false, issues };
  const size = new TextEncoder().encode(JSON.stringify(clean)).length;
  if (size > limits.argumentsBytes) {
    const message = `must be at most ${limits.argumentsBytes} bytes of JSON`;
    return { ok: false, issues: [{ field: "arguments", message, given: `${size} bytes` }] };
  }
  const parsed = tool.parameters.safeParse(clean);
  if (!parsed.success)
    return { ok: false, issues: parsed.error.issues.flatMap((issue) => issuesOf(issue, clean, tool)) };
  const value = parsed.data as JsonObject;
  return { ok: true, value, canonical: canonicalJson(dropUndefined(value)) };
}

/** What a caller can act on: each field with its limit and what was given. */
export function issuesText(toolName: string, issues: readonly ArgumentIssue[]): string {
  const lines = issues.map((issue) => `- ${issue.field}: ${issue.message} (given: ${issue.given})`);
  return `The arguments of ${toolName} are not valid, and nothing was run:\n${lines.join("\n")}`;
}

function issuesOf(issue: z.core.$ZodIssue, given: Json, tool: Tool): ArgumentIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: fieldName([...issue.path, key]),
      message: `is not a field of ${issue.path.length === 0 ? tool.name : fieldName(issue.path)}${knownFields(tool, issue.path)}`,
      given: shortValue(valueAt(given, [...issue.path, key])),
    }));
  }
  const value = valueAt(given, issue.path);
  const missing = value === undefined && issue.code !== "custom";
  const message = missing ? `is missing: ${issue.message}` : issue.message;
  return [{ field: fieldName(issue.path), message, given: shortValue(value) }];
}

function knownFields(tool: Tool, path: readonly PropertyKey[]): string {
  return path.length === 0 ? `; it has ${Object.keys(tool.parameters.shape).join(", ") || "none"}` : "";
}

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "arguments";
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

function valueAt(value: Json, path: readonly PropertyKey[]): Json | undefined {
  let here: Json | undefined = value;
  for (const part of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = Object.hasOwn(here, part) ? (here as Record<PropertyKey, Json>)[part] : undefined;
  }
  return here;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLossless(value);
}

function cleanValue(value: unknown, path: string, depth: number, issues: ArgumentIssue[]): Json {
  const field = path === "" ? "arguments" : path;
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return value.toWellFormed();
  if (isLossless(value) || typeof value === "number") return cleanNumber(value, field, issues);
  if (typeof value === "object" && depth > limits.argumentsDepth) {
    issues.push({
      field: field.slice(0, 80),
      message: `must be nested at most ${limits.argumentsDepth} deep`,
      given: "deeper",
    });
    return null;
  }
  if (Array.isArray(value)) return value.map((item, index) => cleanValue(item, `${path}[${index}]`, depth + 1, issues));
  if (typeof value === "object") {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(
      entries.map(([key, item]) => [
        key.toWellFormed(),
        cleanValue(item, path === "" ? key : `${path}.${key}`, depth + 1, issues),
      ]),
    );
  }
  issues.push({ field, message: "must be a JSON value", given: typeof value });
  return null;
}

function cleanNumber(value: number | { value: string }, field: string, issues: ArgumentIssue[]): Json {
  if (typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  const given = typeof value === "number" ? String(value) : value.value;
  if (typeof value === "number" && !Number.isFinite(value)) {
    issues.push({ field, message: "is not a number that JSON has", given });
    return null;
  }
  const message =
    "is a number with more digits than JSON numbers keep here (at most 2^53 - 1, about 15 digits); give it as a string";
  issues.push({ field, message, given: given.slice(0, 80) });
  return null;
}

function dropUndefined(value: Json): Json {
  if (Array.isArray(value)) return value.map(dropUndefined);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Record<string, Json | undefined>);
  return Object.fromEntries(entries.flatMap(([key, item]) => (item === undefined ? [] : [[key, dropUndefined(item)]])));
}

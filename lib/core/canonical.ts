import canonicalize from "canonicalize";
import type { Json, JsonObject } from "#lib/protocol/json.ts";

/** RFC 8785 canonical JSON: equal for equal values, whatever the order of their keys. */
export function canonicalJson(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("canonical JSON: the value is not JSON");
  return text;
}

/** Reads a JSON object that the record holds. */
export function parseObject(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

/** A text without halves of characters, cut to at most `most` UTF-16 units on a whole character. */
export function cutText(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  const last = whole.charCodeAt(most - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
  return whole.slice(0, end);
}

/** A value for an error message: as JSON, at most 80 characters. */
export function shortValue(value: unknown): string {
  if (value === undefined) return "nothing";
  let text: string;
  try {
    text = JSON.stringify(value, losslessReplacer) ?? `a ${typeof value}`;
  } catch {
    text = `a ${typeof value} that is not JSON`;
  }
  return text.length > 80 ? `${cutText(text, 77)}…` : text;
}

interface Lossless {
  isLosslessNumber: true;
  value: string;
}

/** A number whose digits a double cannot keep, as lossless-json gives it at a door. */
export function isLossless(value: unknown): value is Lossless {
  if (typeof value !== "object" || value === null || !("isLosslessNumber" in value)) return false;
  // A plain object with such a key is something that a caller sent, not what the parser made.
  return Object.getPrototypeOf(value) !== Object.prototype;
}

/** Not in TypeScript's library yet. */
const rawJson = (text: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

/** Keeps every digit of numbers that came in lossless form. */
export function losslessReplacer(_key: string, value: unknown): unknown {
  return isLossless(value) ? rawJson(value.value) : value;
}

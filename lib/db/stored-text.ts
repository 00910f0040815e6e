import type { Json } from "#lib/protocol/json.ts";

// What text becomes in the database, the same on every database. Lone surrogates are replaced (they have no UTF-8), and
// NUL, which Postgres refuses and SQLite's own functions stop at, is written as SUB 0; SUB itself is doubled, so that
// every other text comes back as it was. JSON needs none of that but the surrogates: it writes control characters as
// escapes.
const escapeCharacter = "\u001A";
const escapedNul = `${escapeCharacter}0`;

/** The text as it is stored. Use it for what is compared with a stored text, too. */
export function toStoredText(text: string): string {
  const wellFormed = text.toWellFormed();
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  if (!/[\u0000\u001A]/.test(wellFormed)) return wellFormed;
  return wellFormed.replaceAll(escapeCharacter, escapeCharacter + escapeCharacter).replaceAll("\u0000", escapedNul);
}

/** The text that was stored; the inverse of `toStoredText` for well-formed text. */
export function fromStoredText(stored: string): string {
  if (!stored.includes(escapeCharacter)) return stored;
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return stored.replaceAll(/\u001A(.)/gs, (_match, next: string) => (next === "0" ? "\u0000" : next));
}

/** A value as JSON text in which every string is well-formed. */
export function toStoredJson(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify writes a lone surrogate as an escape, and nothing else as one of these.
  if (!text.includes("\\ud")) return text;
  return text.replaceAll(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.startsWith("\\ud") ? "\uFFFD" : escape));
}

/** The value of a JSON text that `toStoredJson` wrote. */
export function fromStoredJson(stored: string): Json {
  return JSON.parse(stored) as Json;
}

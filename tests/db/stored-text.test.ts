import { array, assert, constantFrom, oneof, pre, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { fromStoredJson, fromStoredText, toStoredJson, toStoredText } from "#lib/db/stored-text.ts";

/** Any string of UTF-16 units, with those that matter here more often than by chance. */
const anyText = array(
  oneof(constantFrom("\u0000", "\u001A", "0", "\\", "\ud83d", "\ude00", '"', "\\ud83d"), string({ unit: "binary" })),
).map((parts) => parts.join(""));

describe("stored text", () => {
  test("D1: comes back as it was, well-formed, and never holds a NUL", () => {
    assert(
      property(anyText, (text) => {
        const stored = toStoredText(text);
        expect(stored.includes("\u0000")).toBe(false);
        expect(stored.isWellFormed()).toBe(true);
        expect(fromStoredText(stored)).toBe(text.toWellFormed());
      }),
    );
  });

  test("D1: no two texts are stored alike", () => {
    assert(
      property(anyText, anyText, (one, other) => {
        pre(one.toWellFormed() !== other.toWellFormed());
        expect(toStoredText(one)).not.toBe(toStoredText(other));
      }),
    );
  });

  test("M12: JSON comes back as it was, with every string and key well-formed, and never holds a NUL", () => {
    assert(
      property(anyText, anyText, (key, text) => {
        const stored = toStoredJson({ [key]: [text, { text }] });
        expect(stored.includes("\u0000")).toBe(false);
        expect(stored.isWellFormed()).toBe(true);
        const mended = text.toWellFormed();
        expect(fromStoredJson(stored)).toEqual(
          JSON.parse(JSON.stringify({ [key.toWellFormed()]: [mended, { text: mended }] })),
        );
      }),
    );
  });
});

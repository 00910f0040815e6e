import { describe, expect, test } from "vitest";
import { inertPieces } from "#components/inert-text.ts";

const shown = (text: string) =>
  inertPieces(text)
    .map((piece) =>
      piece.kind === "plain"
        ? piece.text
        : piece.kind === "hidden"
          ? `⟨${piece.text}⟩`
          : `${piece.text}⟨${piece.mark}⟩`,
    )
    .join("");

describe("text of others", () => {
  test.each([
    ["plain words, numbers 1.5 and\nlines\twith tabs"],
    ["Grüße, naïve, Ærø"],
    ["привет мир"],
    ["שלום 100"],
    ["日本のEUR"],
    ["👩‍👩‍👧 ❤️ 🇩🇪"],
  ])("what is as it seems stays as it is: %j", (text) => {
    expect(inertPieces(text)).toEqual([{ kind: "plain", text }]);
  });

  test.each([
    ["a\u200bb", "a⟨U+200B⟩b"],
    ["a\u200b\u200b\u200bb", "a⟨U+200B ×3⟩b"],
    ["\u202e001\u202c", "⟨U+202E⟩001⟨U+202C⟩"],
    ["a\u00adb\u2066c\u2069", "a⟨U+00AD⟩b⟨U+2066⟩c⟨U+2069⟩"],
    ["x\r\ny", "x⟨U+000D⟩\ny"],
    ["\u0000\u001b[31m", "⟨U+0000⟩⟨U+001B⟩[31m"],
    ["1\u00a0000", "1⟨U+00A0⟩000"],
    ["\u{e0041}\u3164", "⟨U+E0041⟩⟨U+3164⟩"],
    ["\ud83d", "⟨U+D83D⟩"],
    ["a\u200db", "a⟨U+200D⟩b"],
    ["e\u0301\u0301\u0301\u0301\u0301", "e⟨U+0301 and 4 more marks⟩"],
  ])("P12: a character that hides or reorders text is made visible: %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test.each([
    ["pay to p\u0430ypal", "pay to p\u0430ypal⟨Latin + Cyrillic⟩"],
    ["place_\u043erder", "place_\u043erder⟨Latin + Cyrillic⟩"],
    ["\u0412\u0422\u0421", "\u0412\u0422\u0421⟨Cyrillic⟩"],
    ["\uff25\uff35\uff32", "\uff25\uff35\uff32⟨styled EUR⟩"],
    ["1\u09e83", "1\u09e83⟨mixed digits⟩"],
  ])("P12: a word that is not what it seems is marked: %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test("P12: a flood of hidden characters makes a bounded number of pieces, and none is left out", () => {
    const pieces = inertPieces("a\u200b".repeat(30_000));
    expect(pieces.length).toBeLessThan(1_100);
    expect(
      pieces
        .map((piece) => piece.text)
        .join("")
        .match(/U\+200B/g),
    ).toHaveLength(30_000);
  });
});

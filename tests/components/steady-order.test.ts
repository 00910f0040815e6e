import { describe, expect, test } from "vitest";
import type { RequestView } from "#lib/protocol/views.ts";
import { type ShownCard, steadyOrder } from "#components/requests/steady-order.ts";

const requests = (...ids: string[]) => ids.map((id) => ({ id }) as RequestView);
const told = (cards: readonly ShownCard[]) =>
  cards.map((card) => (card.waits ? card.request.id : `(${card.request.id})`));

describe("the order of the cards", () => {
  test("is the server's while nobody is at them", () => {
    const first = steadyOrder([], requests("a", "b"), false);
    expect(told(steadyOrder(first, requests("u", "b", "a"), false))).toEqual(["u", "b", "a"]);
  });

  test("stands still under a finger: new ones come last, decided ones keep their place", () => {
    const first = steadyOrder([], requests("a", "b", "c"), false);
    expect(told(steadyOrder(first, requests("u", "c", "a"), true))).toEqual(["a", "(b)", "c", "u"]);
  });

  test("a decided card stays behind what waits, and only the newest few do", () => {
    const ids = Array.from({ length: 12 }, (_, index) => `r${index}`);
    const decided = steadyOrder(steadyOrder([], requests(...ids), false), requests("new"), false);
    expect(told(decided)).toEqual(["new", ...ids.slice(4).map((id) => `(${id})`)]);
  });

  test("a card whose approval was void waits again", () => {
    const decided = steadyOrder(steadyOrder([], requests("a"), false), [], true);
    expect(told(steadyOrder(decided, requests("a"), true))).toEqual(["a"]);
  });
});

import { describe, expect, test } from "vitest";
import type { TimelineEvent } from "#components/data/merge-events.ts";
import { wordsOf } from "#components/timeline/event-words.ts";

function event(kind: TimelineEvent["kind"], payload: unknown): TimelineEvent {
  const chain = { previousHash: "", hash: "" };
  return {
    position: 1,
    deskName: "majors",
    seq: 1,
    kind,
    at: "2026-09-08T14:02:11.000Z",
    triggerId: null,
    payload,
    ...chain,
  };
}
const result = {
  triggerId: "t",
  callId: "c",
  name: "place_order",
  isError: false,
  text: "approved, done",
  outcome: "done",
};

describe("an event in words", () => {
  test.each([
    ["succeeded", "plain"],
    ["refused", "failed"],
    ["denied", "failed"],
    ["uncertain", "failed"],
    ["held", "waits"],
  ])("P12: the colour of a result that %s comes from its status, whatever its text says", (status, look) => {
    expect(wordsOf(event("tool_result", { ...result, status })).look).toBe(look);
  });

  test("P12: words are somebody's: a desk's, a person's or Deskboard's", () => {
    const message = (from: string) => wordsOf(event("message", { from, name: "bob", text: "x" })).quoted?.whose;
    expect([message("desk"), message("person"), message("deskboard")]).toEqual(["majors", "bob", "Deskboard"]);
  });

  test("a payload of an unknown shape is shown as it is", () => {
    expect(wordsOf(event("turn_ended", { odd: true }))).toMatchObject({
      words: "turn_ended",
      quoted: { text: '{"odd":true}' },
    });
  });
});

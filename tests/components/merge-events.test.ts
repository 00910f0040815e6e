import { array, assert, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeEvents, type TimelineEvent } from "#components/data/merge-events.ts";

const events = (...positions: number[]) => positions.map((position) => ({ position }) as TimelineEvent);

describe("the page's piece of the timeline", () => {
  test("P11: pages that overlap, in any order, give each event once and by position", () => {
    assert(
      property(array(array(integer({ min: 1, max: 60 }), { maxLength: 30 }), { maxLength: 8 }), (pages) => {
        const merged = pages.reduce<readonly TimelineEvent[]>(
          (known, page) => mergeEvents(known, events(...new Set(page))),
          [],
        );
        const wanted = [...new Set(pages.flat())].toSorted((a, b) => a - b);
        expect(merged.map((event) => event.position)).toEqual(wanted);
      }),
    );
  });

  test("nothing new gives back the very same list, so that nothing is drawn again", () => {
    const known = events(1, 2, 3);
    expect(mergeEvents(known, events(2, 3))).toBe(known);
  });
});

import { describe, expect, test } from "vitest";
import type { EventQuery, Store } from "#lib/core/ports/store.ts";
import type { DeskEvent, NewEvent } from "#lib/protocol/events.ts";
import { limits } from "#lib/protocol/limits.ts";
import { message, requestRow, unit } from "#tests/support/record-rows.ts";
import type { OpenStore } from "./open-store.ts";

const call = (deskName: string, triggerId: string, name: string): NewEvent => ({
  deskName,
  kind: "tool_call",
  triggerId,
  payload: { triggerId, callId: "C1", name, arguments: { symbol: "EURUSD" }, attempt: 1, backend: "playbook" },
});
const result = (deskName: string, triggerId: string, name: string, text: string): NewEvent => ({
  deskName,
  kind: "tool_result",
  triggerId,
  payload: { triggerId, callId: "C1", name, isError: false, text, status: "succeeded", outcome: "done" },
});
const asked: NewEvent = {
  deskName: "majors",
  kind: "user_request",
  triggerId: "T1",
  payload: { requestId: "R1", number: 1, kind: "permission", callId: "C1", tool: "place_order", summary: "SELL" },
};
const decided: NewEvent = {
  deskName: "majors",
  kind: "user_request_changed",
  triggerId: "T1",
  payload: { requestId: "R1", number: 1, from: "pending", to: "denied" },
};

const timeline: NewEvent[] = [
  message("majors", "Trim 100% of it", "T1"), // 1
  call("majors", "T1", "get_quote"), // 2
  result("majors", "T1", "get_quote", 'a "quote"\nof 1.16040'), // 3
  call("crypto", "T2", "get_quote"), // 4
  call("majors", "T1", "place_order"), // 5
  asked, // 6
  decided, // 7
  message("crypto", "1000 of under_score", "T2"), // 8
];

const filters: [string, Omit<EventQuery, "limit">, number[]][] = [
  ["nothing", {}, [1, 2, 3, 4, 5, 6, 7, 8]],
  ["a desk", { desk: "crypto" }, [4, 8]],
  ["a kind", { kinds: ["tool_call"] }, [2, 4, 5]],
  ["kinds", { kinds: ["message", "tool_result", "message"] }, [1, 3, 8]],
  ["no kind", { kinds: [] }, []],
  ["a kind of a desk", { desk: "majors", kinds: ["tool_call", "message"] }, [1, 2, 5]],
  ["a tool, with requests for it and their changes", { tool: "place_order" }, [5, 6, 7]],
  ["a trigger", { triggerId: "T2" }, [4, 8]],
  ["text, whatever its case", { text: "tRIM" }, [1]],
  ["a percent sign as itself", { text: "100%" }, [1]],
  ["an underscore as itself", { text: "r_s" }, [8]],
  ["a quote and a line break", { text: '"quote"\nof' }, [3]],
  ["a backslash, which only escapes have", { text: "\\" }, []],
  ["after", { after: 6 }, [7, 8]],
  ["before", { before: 3 }, [1, 2]],
  ["everything at once", { desk: "majors", kinds: ["tool_call"], tool: "get_quote", triggerId: "T1", after: 1 }, [2]],
];

/** Pages of the timeline. */
export function describeEventPages(openStore: OpenStore): void {
  describe("event pages", () => {
    async function filled() {
      const opened = await openStore({});
      await opened.store.commit(unit({ changes: [{ insert: "request", row: requestRow() }], events: timeline }));
      return opened;
    }

    test.each(filters)("P11: filtered by %s", async (_, query, positions) => {
      const { store } = await filled();
      const page = await store.events({ ...query, limit: 100 });
      expect(page.events.map((event) => event.position)).toEqual(positions);
      expect(page).toMatchObject({ head: 8, more: false });
    });

    test.each([1, 2, 3, 5, 8, 9])("P11: pages of %i, upwards and downwards, are the database", async (limit) => {
      const { store, published } = await filled();
      expect(await pagesUp(store, { limit })).toEqual(published);
      expect(await pagesDown(store, { limit })).toEqual(published);
      const majors = published.filter((event) => event.deskName === "majors");
      expect(await pagesDown(store, { desk: "majors", limit })).toEqual(majors);
      const said = published.filter((event) => ["message", "tool_call"].includes(event.kind));
      expect(await pagesUp(store, { kinds: ["message", "tool_call"], limit })).toEqual(said);
    });

    test("without a cursor the newest come, oldest first", async () => {
      const { store } = await filled();
      const page = await store.events({ limit: 3 });
      expect(page.events.map((event) => event.position)).toEqual([6, 7, 8]);
      expect(page.more).toBe(true);
    });

    test("P11: a page is capped by what it weighs, and has at least one event", async () => {
      const { store, published } = await openStore({});
      const heavy = "x".repeat(limits.pageBytes / 2 - 1000);
      const texts = ["a", heavy, heavy, "b", "y".repeat(limits.pageBytes + 1), "c"];
      await store.commit(unit({ events: texts.map((text) => message("majors", text)) }));
      const sizes: number[] = [];
      for (let after = 0; after < 6;) {
        const { events } = await store.events({ after, limit: 100 });
        sizes.push(events.length);
        after = events.at(-1)?.position ?? 6;
      }
      expect(sizes).toEqual([4, 1, 1]);
      expect(await pagesDown(store, { limit: 100 })).toEqual(published);
    });

    test("P11: while events are being committed, a reader by cursor misses none and sees none twice", async () => {
      const { store, published } = await openStore({});
      const commits = Array.from({ length: 300 }, (_, index) =>
        store.commit(unit({ events: [message("majors", `${index}`)] })),
      );
      const seen: DeskEvent[] = [];
      while (seen.length < 300) {
        const { events } = await store.events({ after: seen.length, limit: 7 });
        seen.push(...events);
        if (events.length === 0) await Promise.race(commits.slice(seen.length));
      }
      await Promise.all(commits);
      expect(seen).toEqual(published);
    });
  });
}

async function pagesUp(store: Store, query: EventQuery): Promise<DeskEvent[]> {
  const all: DeskEvent[] = [];
  for (let more = true; more;) {
    const page = await store.events({ ...query, after: all.at(-1)?.position ?? 0 });
    all.push(...page.events);
    ({ more } = page);
  }
  return all;
}

async function pagesDown(store: Store, query: EventQuery): Promise<DeskEvent[]> {
  const all: DeskEvent[] = [];
  for (let more = true; more;) {
    const before = all[0]?.position;
    const page = await store.events({ ...query, ...(before !== undefined && { before }) });
    all.unshift(...page.events);
    ({ more } = page);
  }
  return all;
}

import { describe, expect, test } from "vitest";
import type { CallQuery, RequestQuery, TriggerQuery } from "#lib/core/ports/store.ts";
import type { Change } from "#lib/core/ports/unit.ts";
import { callRow, deskRow, noteRow, paperOrderRow, requestRow, triggerRow, unit } from "#tests/support/record-rows.ts";
import type { OpenStore } from "./open-store.ts";

type Request = Parameters<typeof requestRow>[0];
const requests: Request[] = [
  { id: "R1", number: 1, expiresAt: "2026-09-08T14:10:00.000Z" },
  { id: "R2", number: 2, state: "denied", decidedAt: "2026-09-08T13:00:00.000Z", expiresAt: "abc" },
  { id: "R3", number: 3, kind: "question", tool: "ask_user", expiresAt: "2026-09-08T14:20:00.000Z" },
  { id: "R4", number: 4, deskName: "crypto", identity: "other", expiresAt: "zzz" },
  { id: "R5", number: 9, triggerId: "T2", kind: "uncertain" },
];

const requestCases: [string, Omit<RequestQuery, "order" | "limit">, string[]][] = [
  ["all", {}, ["R1", "R2", "R3", "R4", "R5"]],
  ["of a desk", { deskName: "crypto" }, ["R4"]],
  ["of a trigger", { triggerId: "T2" }, ["R5"]],
  ["of a tool", { tool: "ask_user" }, ["R3"]],
  ["of an identity", { identity: "other" }, ["R4"]],
  ["of kinds", { kinds: ["question", "uncertain"] }, ["R3", "R5"]],
  ["of states", { states: ["denied"] }, ["R2"]],
  ["of no state", { states: [] }, []],
  ["decided since", { decidedSince: "2026-09-08T13:00:00.000Z" }, ["R2"]],
  ["decided since later", { decidedSince: "2026-09-08T13:00:00.001Z" }, []],
  ["expired, with what cannot be read", { expiredAt: "2026-09-08T14:10:00.000Z" }, ["R1", "R2", "R4"]],
  ["pending and expired", { expiredAt: "2026-09-08T14:09:59.999Z", states: ["pending"] }, ["R4"]],
];

const triggers: Parameters<typeof triggerRow>[0][] = [
  { id: "T1", priority: 1 },
  { id: "T2", priority: 0 },
  { id: "T3", state: "running", priority: 0 },
  { id: "T4", deskName: "crypto", priority: 0 },
  { id: "T5", priority: 0 },
];

const triggerCases: [string, Omit<TriggerQuery, "limit">, string[]][] = [
  ["the next of a desk", { deskName: "majors", states: ["queued"], order: "next" }, ["T2", "T5", "T1"]],
  ["the next of all", { states: ["queued"], order: "next" }, ["T2", "T4", "T5", "T1"]],
  ["the newest", { order: "newest" }, ["T5", "T4", "T3", "T2", "T1"]],
  ["the newest of a desk", { deskName: "majors", order: "newest" }, ["T5", "T3", "T2", "T1"]],
];

const calls: Parameters<typeof callRow>[0][] = [
  { id: "C1", status: "held", requestId: "R1" },
  { id: "C2", name: "place_order" },
  { id: "C3", deskName: "crypto", triggerId: "T2" },
  { id: "C4", requestId: "R1", status: "succeeded" },
];

const callCases: [string, Omit<CallQuery, "limit">, string[]][] = [
  ["all", { order: "oldest" }, ["C1", "C2", "C3", "C4"]],
  ["of a desk", { deskName: "majors", order: "newest" }, ["C4", "C2", "C1"]],
  ["of a trigger", { triggerId: "T2", order: "oldest" }, ["C3"]],
  ["of a tool", { name: "place_order", order: "oldest" }, ["C2"]],
  ["of a request", { requestId: "R1", order: "oldest" }, ["C1", "C4"]],
  ["of statuses", { statuses: ["held", "succeeded"], order: "newest" }, ["C4", "C1"]],
  ["before a cursor", { before: "C3", order: "newest" }, ["C2", "C1"]],
];

/** Rows by what the domain asks for. */
export function describeReads(openStore: OpenStore): void {
  describe("reads", () => {
    async function filled() {
      const { store } = await openStore({});
      const changes: Change[] = [
        ...requests.map((row): Change => ({ insert: "request", row: requestRow(row) })),
        ...triggers.map((row): Change => ({ insert: "trigger", row: triggerRow(row) })),
        ...calls.map((row): Change => ({ insert: "call", row: callRow(row) })),
      ];
      await store.commit(unit({ changes }));
      return store;
    }

    test.each(requestCases)("requests: %s", async (_, query, ids) => {
      const store = await filled();
      const oldest = await store.requests({ ...query, order: "oldest", limit: 10 });
      expect(oldest.map((row) => row.id)).toEqual(ids);
      const newest = await store.requests({ ...query, order: "newest", limit: 1 });
      expect(newest.map((row) => row.id)).toEqual(ids.slice(-1));
    });

    test.each(triggerCases)("triggers: %s", async (_, query, ids) => {
      const store = await filled();
      expect((await store.triggers({ ...query, limit: 10 })).map((row) => row.id)).toEqual(ids);
      expect((await store.triggers({ ...query, limit: 1 })).map((row) => row.id)).toEqual(ids.slice(0, 1));
    });

    test.each(callCases)("calls: %s", async (_, query, ids) => {
      const store = await filled();
      expect((await store.calls({ ...query, limit: 10 })).map((row) => row.id)).toEqual(ids);
      expect((await store.calls({ ...query, limit: 1 })).map((row) => row.id)).toEqual(ids.slice(0, 1));
    });

    test("counts", async () => {
      const store = await filled();
      expect(await store.countRequests({ deskName: "majors", states: ["pending"] })).toBe(3);
      expect(await store.countRequests({ kinds: ["uncertain"], tool: "place_order" })).toBe(1);
      expect(await store.countTriggers({ deskName: "majors", states: ["queued"] })).toBe(3);
      expect(await store.countTriggers({})).toBe(5);
      expect(await store.highestRequestNumber()).toBe(9);
    });

    test("what is not there is null, and an empty record is empty", async () => {
      const { store } = await openStore({});
      const single = [store.desk("x"), store.trigger("x"), store.call("x"), store.request("x"), store.picture("x")];
      const more = [store.paperOrder("x"), store.triggerByClientId("x", "y"), store.event(1), store.event(Number.NaN)];
      expect(await Promise.all([...single, ...more])).toEqual(Array(9).fill(null));
      expect(await store.events({ limit: 10 })).toEqual({ events: [], head: 0, more: false });
      expect(await store.heads()).toEqual([]);
      expect(await store.highestRequestNumber()).toBe(0);
    });

    test("desks by name, orders oldest first, notes newest first", async () => {
      const { store } = await openStore({});
      await store.commit(
        unit({
          changes: [
            { insert: "desk", row: deskRow({ name: "zinc" }) },
            { insert: "desk", row: deskRow({ name: "alu" }) },
            { insert: "paperOrder", row: paperOrderRow({ id: "P2", key: "2" }) },
            { insert: "paperOrder", row: paperOrderRow({ id: "P1", key: "1" }) },
            { insert: "note", row: noteRow({ id: "N1" }) },
            { insert: "note", row: noteRow({ id: "N2" }) },
          ],
        }),
      );
      expect((await store.desks()).map((row) => row.name)).toEqual(["alu", "zinc"]);
      expect((await store.paperOrders("majors")).map((row) => row.id)).toEqual(["P1", "P2"]);
      expect((await store.notes("majors", 1)).map((row) => row.id)).toEqual(["N2"]);
    });
  });
}

import { describe, expect, test } from "vitest";
import type { Change, Condition } from "#lib/core/ports/unit.ts";
import { manualClock } from "#tests/support/manual-clock.ts";
import {
  callRow,
  deskRow,
  message,
  noteRow,
  paperOrderRow,
  requestRow,
  ruleRow,
  triggerRow,
  unit,
} from "#tests/support/record-rows.ts";
import type { OpenStore } from "./open-store.ts";

const now = "2026-09-08T14:00:00.000Z";
const past = "2026-09-08T13:59:59.999Z";
const future = "2026-09-08T14:00:00.001Z";

const trigger = (row: Parameters<typeof triggerRow>[0]): Change => ({ insert: "trigger", row: triggerRow(row) });
const request = (row: Parameters<typeof requestRow>[0]): Change => ({ insert: "request", row: requestRow(row) });
const open = { state: "running", attempt: 2, attemptOpen: true } as const;
const pending = { that: "request", id: "R1", state: ["pending"] } as const;

interface Case {
  condition: Condition;
  /** With these rows it holds. */
  holds: Change[];
  /** With these it does not, and this is the winner. */
  fails: [change: Change[], winner: object | null][];
}

const cases: Case[] = [
  {
    condition: { that: "desk", name: "majors", status: ["active"] },
    holds: [{ insert: "desk", row: deskRow() }],
    fails: [
      [[], null],
      [[{ insert: "desk", row: deskRow({ status: "paused" }) }], { table: "desk", row: deskRow({ status: "paused" }) }],
    ],
  },
  {
    condition: { that: "noDesk", name: "majors" },
    holds: [{ insert: "desk", row: deskRow({ name: "crypto" }) }],
    fails: [[[{ insert: "desk", row: deskRow() }], { table: "desk", row: deskRow() }]],
  },
  {
    condition: { that: "attemptOpen", triggerId: "T1", attempt: 2 },
    holds: [trigger(open)],
    fails: [
      [[], null],
      [[trigger({ ...open, attempt: 3 })], { table: "trigger", row: triggerRow({ ...open, attempt: 3 }) }],
      [
        [trigger({ ...open, attemptOpen: false })],
        { table: "trigger", row: triggerRow({ ...open, attemptOpen: false }) },
      ],
      [[trigger({ ...open, state: "queued" })], { table: "trigger", row: triggerRow({ ...open, state: "queued" }) }],
      [[trigger({ ...open, stoppedAt: now })], { table: "trigger", row: triggerRow({ ...open, stoppedAt: now }) }],
    ],
  },
  {
    condition: { that: "trigger", id: "T1", state: ["queued", "running"], notStopped: true },
    holds: [trigger({ state: "running" })],
    fails: [
      [[], null],
      [[trigger({ state: "done" })], { table: "trigger", row: triggerRow({ state: "done" }) }],
      [[trigger({ stoppedAt: now })], { table: "trigger", row: triggerRow({ stoppedAt: now }) }],
    ],
  },
  {
    condition: { that: "noClientId", deskName: "majors", clientId: "mine" },
    holds: [trigger({ id: "T2", deskName: "crypto", clientId: "mine" }), trigger({ id: "T3", clientId: "other" })],
    fails: [[[trigger({ clientId: "mine" })], { table: "trigger", row: triggerRow({ clientId: "mine" }) }]],
  },
  {
    condition: pending,
    holds: [request({ expiresAt: past })],
    fails: [
      [[], null],
      [[request({ state: "denied" })], { table: "request", row: requestRow({ state: "denied" }) }],
    ],
  },
  {
    condition: { ...pending, arguments: "{}" },
    holds: [request({ arguments: "{}" })],
    fails: [[[request({ arguments: "{ }" })], { table: "request", row: requestRow({ arguments: "{ }" }) }]],
  },
  {
    condition: { that: "call", id: "C1", status: ["running"] },
    holds: [{ insert: "call", row: callRow() }],
    fails: [
      [[], null],
      [[{ insert: "call", row: callRow({ status: "failed" }) }], { table: "call", row: callRow({ status: "failed" }) }],
    ],
  },
  {
    condition: { that: "policy", version: 1 },
    holds: [{ bump: "policy" }],
    fails: [
      [[], { table: "policy", version: 0 }],
      [[{ bump: "policy" }, { bump: "policy" }], { table: "policy", version: 2 }],
    ],
  },
  {
    condition: { that: "rule", id: "U1" },
    holds: [{ insert: "rule", row: ruleRow() }],
    fails: [[[{ insert: "rule", row: ruleRow({ id: "U2" }) }], null]],
  },
  {
    condition: { that: "pendingRequests", deskName: "majors", below: 2 },
    holds: [
      request({}),
      request({ id: "R2", number: 2, kind: "uncertain" }),
      request({ id: "R3", number: 3, state: "denied" }),
      request({ id: "R4", number: 4, deskName: "crypto" }),
    ],
    fails: [[[request({}), request({ id: "R2", number: 2, kind: "question" })], { table: "count", count: 2 }]],
  },
  {
    condition: { that: "queuedTriggers", deskName: "majors", below: 2 },
    holds: [trigger({}), trigger({ id: "T2", state: "done" }), trigger({ id: "T3", deskName: "crypto" })],
    fails: [[[trigger({}), trigger({ id: "T2" })], { table: "count", count: 2 }]],
  },
  {
    condition: { that: "noUncertain", deskName: "majors", tool: "place_order" },
    holds: [
      request({}),
      request({ id: "R2", number: 2, kind: "uncertain", state: "resolved" }),
      request({ id: "R3", number: 3, kind: "uncertain", tool: "cancel_order" }),
      request({ id: "R4", number: 4, kind: "uncertain", deskName: "crypto" }),
    ],
    fails: [[[request({ kind: "uncertain" })], { table: "request", row: requestRow({ kind: "uncertain" }) }]],
  },
  {
    condition: { that: "noPaperOrder", key: "key" },
    holds: [{ insert: "paperOrder", row: paperOrderRow({ key: "other" }) }],
    fails: [[[{ insert: "paperOrder", row: paperOrderRow() }], { table: "paperOrder", row: paperOrderRow() }]],
  },
];

/** Every condition, held and failed, and what comes back where one fails. */
export function describeConditions(openStore: OpenStore): void {
  describe("conditions", () => {
    test.each(cases.map((each) => [each.condition.that, each] as const))(
      "P5: %s lets a unit through, or names the row that won",
      async (_, each) => {
        const note = { insert: "note", row: noteRow() } as const;
        const { store } = await openStore({});
        await store.commit(unit({ changes: each.holds }));
        const held = await store.commit(
          unit({ when: [each.condition], changes: [note], events: [message("majors", "x")] }),
        );
        expect(held).toMatchObject({ committed: true, events: [{ position: 1 }] });

        for (const [changes, winner] of each.fails) {
          const { store: other } = await openStore({});
          await other.commit(unit({ changes }));
          const failed = await other.commit(
            unit({ when: [each.condition], changes: [note], events: [message("majors", "x")] }),
          );
          expect(failed).toEqual({ committed: false, failed: each.condition, winner });
          expect(await other.notes("majors", 5)).toEqual([]);
          expect(await other.heads()).toEqual([]);
        }
      },
    );

    test("the first that fails, in their order, is the one that is named", async () => {
      const { store } = await openStore({});
      const missing: Condition[] = [
        { that: "noDesk", name: "majors" },
        { that: "call", id: "C1", status: ["running"] },
        { that: "desk", name: "majors", status: ["active"] },
      ];
      const result = await store.commit(unit({ when: missing }));
      expect(result).toEqual({ committed: false, failed: missing[1], winner: null });
    });

    test.each([
      ["never", null, true],
      ["later", future, true],
      ["now", now, false],
      ["before", past, false],
      ["at a time that cannot be read", "abc", false],
      ["at a time without a zone", "2027-01-01T00:00:00.000", false],
      ["at an empty time", "", false],
    ])("P4: what expires %s is judged by the store's own clock", async (_, expiresAt, isAlive) => {
      const { store } = await openStore({ clock: manualClock(now) });
      await store.commit(unit({ changes: [request({ expiresAt })] }));
      const alive = await store.commit(unit({ when: [{ ...pending, alive: true }] }));
      const expired = await store.commit(unit({ when: [{ ...pending, expired: true }] }));
      expect([alive.committed, expired.committed]).toEqual([isAlive, !isAlive]);
    });

    test.each([
      [future, true],
      [now, false],
      [null, false],
      ["abc", false],
    ])("P4: an approved call with a runBy of %s starts: %s", async (runBy, starts) => {
      const { store } = await openStore({ clock: manualClock(now) });
      await store.commit(unit({ changes: [request({ state: "approved", runBy })] }));
      const when: Condition[] = [{ that: "request", id: "R1", state: ["approved"], startable: true }];
      expect((await store.commit(unit({ when }))).committed).toBe(starts);
    });

    test("P5: of fifty decisions in the same tick one wins, and the others learn of it", async () => {
      const { store } = await openStore({});
      await store.commit(unit({ changes: [request({})] }));
      const decide = (by: string) =>
        store.commit(
          unit({
            when: [pending],
            changes: [{ update: "request", key: "R1", set: { state: "denied", decidedBy: by } }],
            events: [message("majors", by)],
          }),
        );
      const results = await Promise.all(Array.from({ length: 50 }, (_, index) => decide(`person ${index}`)));
      expect(results.filter((result) => result.committed)).toHaveLength(1);
      const winners = results.flatMap((result) => (result.committed ? [] : [result.winner]));
      expect(winners).toHaveLength(49);
      const stored = await store.request("R1");
      for (const winner of winners) expect(winner).toEqual({ table: "request", row: stored });
      expect((await store.events({ limit: 5 })).events).toHaveLength(1);
    });
  });
}

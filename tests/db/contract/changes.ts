import { describe, expect, test } from "vitest";
import type { Change } from "#lib/core/ports/unit.ts";
import type { RequestState } from "#lib/protocol/states.ts";
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

const at = "2026-09-08T15:00:00.000Z";
const cancel = { by: "ann", reason: "the turn was stopped", at };

const request = (id: number, row: Parameters<typeof requestRow>[0] = {}): Change => ({
  insert: "request",
  row: requestRow({ id: `R${id}`, number: id, ...row }),
});
const trigger = (id: number, row: Parameters<typeof triggerRow>[0] = {}): Change => ({
  insert: "trigger",
  row: triggerRow({ id: `T${id}`, ...row }),
});

/** Every change that a unit can make. */
export function describeChanges(openStore: OpenStore): void {
  describe("changes", () => {
    test("P6: every kind of row comes back as it was given, also after a restart", async () => {
      const opened = await openStore({});
      const picture = { id: "B1", type: "image/png", bytes: new Uint8Array([0, 1, 2, 255]) } as const;
      const desk = deskRow({ capReached: { cap: "callsPerTurn", limit: 5, triggerId: null, at } });
      const call = callRow({ facts: { reducesRisk: true }, isError: false, resultText: "1.16040", pictureId: "B1" });
      const asked = requestRow({
        kind: "question",
        questions: [{ id: "q1", question: "Which?", header: "Stop", options: [], multiSelect: false }],
        answers: [{ questionId: "q1", optionIds: ["o1"], other: "only before close" }],
        ticket: { headline: "SELL 1", rows: [{ label: "last", value: "1.1" }], at },
      });
      await opened.store.commit(
        unit({
          changes: [
            { insert: "desk", row: desk },
            { insert: "trigger", row: triggerRow({ data: { requestId: "R1" } }) },
            { insert: "call", row: call },
            { insert: "request", row: asked },
            { insert: "rule", row: ruleRow({ facts: { reducesRisk: true } }) },
            { insert: "picture", row: picture },
            { insert: "paperOrder", row: paperOrderRow() },
            { insert: "note", row: noteRow() },
          ],
        }),
      );
      const again = await opened.reopen();
      const { store } = again;
      expect(await store.desk("majors")).toEqual(desk);
      expect(await store.trigger("T1")).toEqual(triggerRow({ data: { requestId: "R1" } }));
      expect(await store.call("C1")).toEqual(call);
      expect(await store.request("R1")).toEqual(asked);
      expect((await store.policy()).rules).toEqual([ruleRow({ facts: { reducesRisk: true } })]);
      const stored = await store.picture("B1");
      expect(stored && { ...stored, bytes: [...stored.bytes] }).toEqual({ ...picture, bytes: [...picture.bytes] });
      expect(await store.paperOrder("key")).toEqual(paperOrderRow());
      expect(await store.notes("majors", 1)).toEqual([noteRow()]);
      await again.remove();
    });

    test("an update changes what it names and nothing else", async () => {
      const { store } = await openStore({});
      await store.commit(unit({ changes: [{ insert: "desk", row: deskRow() }, trigger(1), request(1), request(2)] }));
      await store.commit(unit({ changes: [{ insert: "call", row: callRow() }] }));
      const answers = [{ questionId: "q1", optionIds: [] }];
      await store.commit(
        unit({
          changes: [
            { update: "desk", key: "majors", set: { status: "paused", backends: ["agent-loop"] } },
            { update: "trigger", key: "T1", set: { state: "running", attemptOpen: true, data: { a: 1 } } },
            { update: "call", key: "C1", set: { status: "succeeded", isError: false, facts: null } },
            { update: "request", key: "R1", set: { state: "answered", answers } },
          ],
        }),
      );
      expect(await store.desk("majors")).toEqual(deskRow({ status: "paused", backends: ["agent-loop"] }));
      expect(await store.trigger("T1")).toEqual(triggerRow({ state: "running", attemptOpen: true, data: { a: 1 } }));
      expect(await store.call("C1")).toEqual(callRow({ status: "succeeded", isError: false }));
      expect(await store.request("R1")).toEqual(requestRow({ state: "answered", answers }));
      expect(await store.request("R2")).toEqual(requestRow({ id: "R2", number: 2 }));
    });

    test.each<Change>([
      { update: "desk", key: "none", set: { status: "paused" } },
      { update: "trigger", key: "none", set: { state: "done" } },
      { update: "call", key: "none", set: { status: "failed" } },
      { update: "request", key: "none", set: { state: "denied" } },
      { delete: "rule", key: "none" },
    ])("a change of a row that is not there throws, and nothing of its unit is left: %o", async (change) => {
      const { store } = await openStore({});
      const doomed = unit({ changes: [{ insert: "note", row: noteRow() }, change], events: [message("majors", "x")] });
      await expect(store.commit(doomed)).rejects.toMatchObject({ code: "internal" });
      expect(await store.notes("majors", 1)).toEqual([]);
      expect(await store.heads()).toEqual([]);
    });

    test("a key that is taken is told apart from a record that cannot be reached", async () => {
      const { store } = await openStore({});
      await store.commit(unit({ changes: [trigger(1, { clientId: "mine" })] }));
      const again = store.commit(unit({ changes: [trigger(2, { clientId: "mine" })] }));
      await expect(again).rejects.toMatchObject({ code: "already_exists" });
      await store.close();
      const closed = store.commit(unit({ changes: [trigger(3)] }));
      await expect(closed).rejects.toMatchObject({ code: "record_unavailable" });
      await expect(store.trigger("T1")).rejects.toMatchObject({ code: "record_unavailable" });
    });

    test("P10: a changed rule changes the version, and the next read sees both", async () => {
      const { store } = await openStore({});
      expect(await store.policy()).toEqual({ version: 0, rules: [] });
      await store.commit(unit({ changes: [{ insert: "rule", row: ruleRow() }, { bump: "policy" }] }));
      expect(await store.policy()).toEqual({ version: 1, rules: [ruleRow()] });
      await store.commit(unit({ changes: [{ delete: "rule", key: "U1" }, { bump: "policy" }] }));
      expect(await store.policy()).toEqual({ version: 2, rules: [] });
    });

    const waiting: Change[] = [
      request(1),
      request(2, { state: "approved", decidedBy: "bob" }),
      request(3, { kind: "question", triggerId: "T2" }),
      request(4, { kind: "uncertain" }),
      request(5, { state: "running" }),
      request(6, { deskName: "crypto" }),
      request(7, { state: "denied" }),
    ];

    test.each([
      [undefined, ["R1", "R2", "R3"]],
      ["T1", ["R1", "R2"]],
    ])(
      "P13: cancelling what waits (of trigger %s) leaves what runs or is uncertain, each with its event",
      async (triggerId, ids) => {
        const { store } = await openStore({});
        await store.commit(unit({ changes: waiting }));
        const of = triggerId === undefined ? {} : { triggerId };
        const result = await store.commit(
          unit({
            changes: [{ cancel: "requests", deskName: "majors", ...of, ...cancel }],
            events: [message("majors", "stopped")],
          }),
        );
        const before: Record<string, RequestState> = { R1: "pending", R2: "approved", R3: "pending" };
        const changed = ids.map((requestId) => ({
          kind: "user_request_changed",
          payload: { requestId, from: before[requestId], to: "cancelled", by: "ann", reason: cancel.reason },
        }));
        expect(result).toMatchObject({ committed: true, events: [{ kind: "message" }, ...changed] });
        const cancelled = await store.requests({ states: ["cancelled"], order: "oldest", limit: 10 });
        expect(cancelled.map((row) => row.id)).toEqual(ids);
        expect(cancelled[0]).toMatchObject({ decidedBy: "ann", decidedAt: at, note: cancel.reason });
      },
    );

    test("P13: stopping what is queued leaves what runs, each with its event", async () => {
      const { store } = await openStore({});
      const queue = [trigger(1), trigger(2, { state: "running" }), trigger(3), trigger(4, { deskName: "crypto" })];
      await store.commit(unit({ changes: queue }));
      const result = await store.commit(unit({ changes: [{ cancel: "triggers", deskName: "majors", ...cancel }] }));
      const ended = ["T1", "T3"].map((triggerId) => ({
        kind: "turn_ended",
        triggerId,
        payload: { triggerId, state: "stopped", by: "ann", reason: cancel.reason },
      }));
      expect(result).toMatchObject({ committed: true, events: ended });
      expect(await store.trigger("T3")).toMatchObject({ state: "stopped", stoppedAt: at, endedAt: at });
      expect(await store.trigger("T2")).toMatchObject({ state: "running", stoppedAt: null });
    });

    test("a unit's later conditions and changes see the earlier units of its group", async () => {
      const { store } = await openStore({});
      const insert = store.commit(unit({ changes: [request(1)] }));
      const update = store.commit(
        unit({
          when: [{ that: "request", id: "R1", state: ["pending"] }],
          changes: [{ update: "request", key: "R1", set: { state: "denied" } }],
        }),
      );
      const late = store.commit(unit({ when: [{ that: "request", id: "R1", state: ["pending"] }] }));
      expect([(await insert).committed, (await update).committed, (await late).committed]).toEqual([true, true, false]);
    });
  });
}

import { describe, expect, test } from "vitest";
import { callRow, deskRow, message, noteRow, paperOrderRow, triggerRow, unit } from "#tests/support/record-rows.ts";
import type { OpenStore } from "./open-store.ts";

const strange = 'NUL \u0000, SUB \u001A, SUB 0 \u001A0, both \u001A\u0000, pair 😀, quote " and \\, \u2028, ‮';

/** D1 and M12: what is stored comes back, on every database alike. */
export function describeText(openStore: OpenStore): void {
  describe("text", () => {
    test("P3: D1: a big integer, a NUL, and arguments null, {} and absent are kept apart", async () => {
      const { store } = await openStore({});
      const given: [string, string | null][] = [
        ["C1", "null"],
        ["C2", "{}"],
        ["C3", null],
        ["C4", '{"orderId":"9007199254740993123"}'],
        ["C5", String.raw`{"note":"\u0000"}`],
      ];
      for (const [id, argumentsGiven] of given) {
        const row = callRow({ id, argumentsGiven, arguments: argumentsGiven === "null" ? null : argumentsGiven });
        const payload = {
          triggerId: "T1",
          callId: id,
          name: "get_quote",
          ...(argumentsGiven !== null && { arguments: JSON.parse(argumentsGiven) as null }),
          attempt: 1,
          backend: "playbook",
        };
        const event = { deskName: "majors", kind: "tool_call", triggerId: "T1", payload } as const;
        await store.commit(unit({ changes: [{ insert: "call", row }], events: [event] }));
      }
      const rows = await store.calls({ order: "oldest", limit: 10 });
      expect(rows.map((row) => [row.id, row.argumentsGiven])).toEqual(given);
      const { events } = await store.events({ limit: 10 });
      const shown = events.map((event) => ("arguments" in event.payload ? event.payload.arguments : "absent"));
      expect(shown).toEqual([null, {}, "absent", { orderId: "9007199254740993123" }, { note: "\u0000" }]);
    });

    test("P6: money keeps every digit", async () => {
      const { store } = await openStore({});
      const row = paperOrderRow({ quantity: "123456789012345678.91", price: "0.00000000000000000001" });
      await store.commit(unit({ changes: [{ insert: "paperOrder", row }] }));
      expect(await store.paperOrder("key")).toEqual(row);
    });

    test("any text comes back character by character, as text, as JSON and in events", async () => {
      const { store } = await openStore({});
      const trigger = triggerRow({ text: strange, data: { [strange]: [strange] }, clientId: strange });
      const result = await store.commit(
        unit({
          changes: [
            { insert: "note", row: noteRow({ text: strange }) },
            { insert: "trigger", row: trigger },
            { insert: "desk", row: deskRow({ name: strange, instructions: strange }) },
          ],
          events: [message("majors", strange)],
        }),
      );
      expect(await store.notes("majors", 1)).toEqual([noteRow({ text: strange })]);
      expect(await store.triggerByClientId("majors", strange)).toEqual(trigger);
      expect(await store.desk(strange)).toMatchObject({ name: strange, instructions: strange });
      expect(await store.event(1)).toMatchObject({ payload: { text: strange } });
      expect(result).toEqual({ committed: true, events: [await store.event(1)] });
    });

    test("M12: half of an emoji is replaced before it is stored, hashed and published", async () => {
      const { store, published } = await openStore({});
      const broken = String.raw`half \ud83d (escaped) and ` + "\ud83d and \udc00\ud83d";
      const mended = String.raw`half \ud83d (escaped) and ` + "\ufffd and \ufffd\ufffd";
      await store.commit(
        unit({
          changes: [
            { insert: "note", row: noteRow({ text: broken }) },
            { insert: "trigger", row: triggerRow({ data: { text: broken } }) },
          ],
          events: [message("majors", broken)],
        }),
      );
      expect(await store.notes("majors", 1)).toEqual([noteRow({ text: mended })]);
      expect(await store.trigger("T1")).toMatchObject({ data: { text: mended } });
      expect(published).toMatchObject([{ payload: { text: mended } }]);
      expect(await store.event(1)).toEqual(published[0]);
    });
  });
}

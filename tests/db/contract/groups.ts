import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { eventHash, firstPreviousHash } from "#lib/db/event-hash.ts";
import { toStoredJson } from "#lib/db/stored-text.ts";
import type { Unit } from "#lib/core/ports/unit.ts";
import { manualClock } from "#tests/support/manual-clock.ts";
import { message, noteRow, unit } from "#tests/support/record-rows.ts";
import type { OpenStore } from "./open-store.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** A unit that leaves a note and an event with its name. */
function named(id: string, parts: Partial<Unit> = {}): Unit {
  const changes = [{ insert: "note", row: noteRow({ id }) } as const];
  return unit({ changes, events: [message("majors", id)], ...parts });
}

/** What units do to each other: nothing. */
export function describeGroups(openStore: OpenStore): void {
  describe("groups", () => {
    test("P6: 400 failing units among 800 good ones in the same tick: nothing confirmed is lost, nothing leaks", async () => {
      const { store, published } = await openStore({});
      await store.commit(named("taken"));
      const units = Array.from({ length: 1200 }, (_, index) => {
        const id = `N${String(index).padStart(4, "0")}`;
        if (index % 6 === 1) return named(id, { when: [{ that: "call", id: "none", status: ["running"] }] });
        // Its note is inserted before the change that throws.
        if (index % 6 === 4) {
          const changes = [
            { insert: "note", row: noteRow({ id }) } as const,
            { insert: "note", row: noteRow({ id: "taken" }) } as const,
          ];
          return named(id, { changes });
        }
        return named(id);
      });
      const results = await Promise.allSettled(units.map((each) => store.commit(each)));

      const confirmed = results.flatMap((result, index) =>
        result.status === "fulfilled" && result.value.committed ? [`N${String(index).padStart(4, "0")}`] : [],
      );
      expect(confirmed).toHaveLength(800);
      expect(results.filter((result) => result.status === "rejected")).toHaveLength(200);
      const stored = (await store.notes("majors", 2000)).map((note) => note.id).toSorted();
      expect(stored).toEqual([...confirmed, "taken"].toSorted());
      const said = published.map((event) => event.kind === "message" && event.payload.text);
      expect(said).toEqual(["taken", ...confirmed]);
      expect(published.map((event) => event.position)).toEqual(published.map((_, index) => index + 1));
      expect((await store.heads())[0]).toMatchObject({ position: 801, seq: 801 });
    });

    test("P2: events are published after they are on disk, in order, before their unit is confirmed", async () => {
      const order: string[] = [];
      const { store } = await openStore({ publish: (events) => order.push(`published ${events[0]?.position}`) });
      const commits = [1, 2, 3].map(async (index) => {
        await store.commit(named(`N${index}`));
        order.push(`confirmed ${index}`);
      });
      await Promise.all(commits);
      expect(order).toEqual([1, 2, 3].map((i) => `published ${i}`).concat([1, 2, 3].map((i) => `confirmed ${i}`)));
    });

    test("P2: what is published can be read at once", async () => {
      const seen: Promise<unknown>[] = [];
      const { store } = await openStore({
        publish: (events) => {
          for (const event of events) seen.push(store.event(event.position));
        },
      });
      await Promise.all([store.commit(named("N1")), store.commit(named("N2"))]);
      expect(await Promise.all(seen)).toMatchObject([{ position: 1 }, { position: 2 }]);
    });

    test("a subscriber that throws is logged and harms no unit", async () => {
      const { store, log } = await openStore({
        publish: () => {
          throw new Error("a subscriber's bug");
        },
      });
      const results = await Promise.all([store.commit(named("N1")), store.commit(named("N2"))]);
      expect(results.every((result) => result.committed)).toBe(true);
      expect(log.lines.filter((line) => line.level === "error")).toHaveLength(2);
    });

    test("P15: positions, seqs and chains hold under concurrency, over many desks", async () => {
      const { store } = await openStore({});
      const desks = ["majors", "crypto", "hedges", "_system"];
      const one = async (desk: string, index: number) =>
        store.commit(unit({ events: [message(desk, `a ${index}`), message(desk, `b ${index}`)] }));
      await Promise.all(desks.flatMap((desk) => Array.from({ length: 25 }, (_, index) => one(desk, index))));

      const { events, head, more } = await store.events({ after: 0, limit: 500 });
      expect({ count: events.length, head, more }).toEqual({ count: 200, head: 200, more: false });
      const ends = new Map<string, { seq: number; hash: string }>();
      for (const [index, event] of events.entries()) {
        const before = ends.get(event.deskName) ?? { seq: 0, hash: firstPreviousHash };
        expect(event).toMatchObject({ position: index + 1, seq: before.seq + 1, previousHash: before.hash });
        expect(eventHash({ ...event, payloadText: toStoredJson(event.payload) }, sha256)).toBe(event.hash);
        ends.set(event.deskName, event);
      }
      const heads = await store.heads();
      expect(new Map(heads.map(({ deskName, hash }) => [deskName, hash]))).toEqual(
        new Map([...ends].map(([desk, { hash }]) => [desk, hash])),
      );
    });

    test("the events of a unit follow each other, at the time of the store's clock", async () => {
      const clock = manualClock("2026-09-08T14:00:00.000Z");
      const { store } = await openStore({ clock });
      const two = () => store.commit(unit({ events: [message("majors", "a"), message("crypto", "b")] }));
      const [first, second] = await Promise.all([two(), two()]);
      expect(first).toMatchObject({ events: [{ position: 1 }, { position: 2, at: "2026-09-08T14:00:00.000Z" }] });
      expect(second).toMatchObject({ events: [{ position: 3 }, { position: 4 }] });
      clock.advance(1500);
      expect(await two()).toMatchObject({ events: [{ at: "2026-09-08T14:00:01.500Z" }, { position: 6 }] });
    });

    test("P6: after a restart the record goes on where it stopped", async () => {
      const opened = await openStore({});
      await opened.store.commit(named("N1"));
      const again = await opened.reopen();
      const result = await again.store.commit(named("N2"));
      const [first] = opened.published;
      expect(result).toMatchObject({ events: [{ position: 2, seq: 2, previousHash: first?.hash }] });
      await again.remove();
    });

    test("P6: closing waits for what was handed over", async () => {
      const opened = await openStore({});
      const commits = Array.from({ length: 30 }, (_, index) => opened.store.commit(named(`N${index}`)));
      const again = await opened.reopen();
      expect((await Promise.all(commits)).every((result) => result.committed)).toBe(true);
      expect(await again.store.notes("majors", 100)).toHaveLength(30);
      await again.remove();
    });

    test("a timer of 5 ms keeps firing while units wait", async () => {
      const { store } = await openStore({});
      let fired = 0;
      let confirmed = 0;
      const firedAt: number[] = [];
      const timer = setInterval(() => {
        fired += 1;
        firedAt.push(confirmed);
      }, 5);
      const commit = async (index: number) => {
        await store.commit(named(`N${index}`));
        confirmed += 1;
      };
      await Promise.all(Array.from({ length: 600 }, (_, index) => commit(index)));
      clearInterval(timer);
      // Without a turn for the event loop it would not fire once; with one it never waits for more than a group.
      expect(fired).toBeGreaterThan(4);
      const steps = [0, ...firedAt, 600].map((count, index, all) => count - (all[index - 1] ?? 0));
      expect(Math.max(...steps)).toBeLessThanOrEqual(400);
    });
  });
}

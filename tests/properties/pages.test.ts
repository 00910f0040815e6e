import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventQuery } from "#lib/core/ports/store.ts";
import type { DeskEvent, EventKind } from "#lib/protocol/events.ts";
import { openTestRecord, type TestRecord } from "#tests/support/record.ts";

// One record for all runs: each begins where the one before it ended.
let record: TestRecord;

beforeAll(async () => {
  record = await openTestRecord();
});

afterAll(async () => {
  await record.remove();
});

const deskNames = ["majors", "crypto", "hedges"] as const;
const kinds = ["message", "backend_failed"] as const satisfies EventKind[];

type Filter = Pick<EventQuery, "desk" | "kinds">;

/** Adds events of several desks, of both kinds, in one unit each. */
async function write(desk: number, count: number): Promise<void> {
  const deskName = deskNames[desk % deskNames.length]!;
  await record.store.commit({
    name: "note",
    when: [],
    changes: [],
    events: Array.from({ length: count }, (_, index) =>
      index % 2 === 0
        ? { deskName, kind: "message", triggerId: null, payload: { from: "person", name: "ann", text: `${index}` } }
        : {
            deskName,
            kind: "backend_failed",
            triggerId: null,
            payload: {
              triggerId: "T",
              attempt: 1,
              backend: "b",
              kind: "silent",
              message: "",
              completed: [],
              next: null,
            },
          },
    ),
  });
}

/** Reads the timeline page by page: forward from where it began, or backward from the newest. */
class Reader {
  readonly events: DeskEvent[] = [];
  readonly #base: number;
  readonly #filter: Filter;
  readonly #backward: boolean;
  /** Where a backward reader began: what comes later is not its. */
  end = 0;
  done = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(base: number, filter: Filter, backward: boolean) {
    this.#base = base;
    this.#filter = filter;
    this.#backward = backward;
  }

  /** Asks for one page more, when the page before it has come. */
  read(limit: number): Promise<void> {
    this.#reading = this.#reading.then(() => (this.#backward ? this.#readBack(limit) : this.#readOn(limit)));
    return this.#reading;
  }

  async #readOn(limit: number): Promise<void> {
    const after = this.events.at(-1)?.position ?? this.#base;
    const { events, more, head } = await record.store.events({ ...this.#filter, after, limit });
    expect(events.length).toBeLessThanOrEqual(limit);
    expect(head).toBeGreaterThanOrEqual(events.at(-1)?.position ?? after);
    this.events.push(...events);
    this.done = !more;
  }

  async #readBack(limit: number): Promise<void> {
    if (this.done) return;
    const before = this.events[0]?.position;
    const page = await record.store.events({ ...this.#filter, ...(before !== undefined && { before }), limit });
    if (before === undefined) this.end = page.events.at(-1)?.position ?? page.head;
    const own = page.events.filter(({ position }) => position > this.#base);
    this.events.unshift(...own);
    // A reader that found nothing yet has nothing to go back from.
    this.done = !page.more || own.length < page.events.length || own.length === 0;
  }
}

const filter: fc.Arbitrary<Filter> = fc.record(
  { desk: fc.constantFrom(...deskNames), kinds: fc.constantFrom([kinds[0]], [kinds[1]], [...kinds]) },
  { requiredKeys: [] },
);
const limit = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 60 }), fc.constant(500));

/** What happens next: something is written, or a reader reads on; `wait` for all of it, or go on meanwhile. */
const step = fc.record({
  what: fc.oneof(
    fc.record({ write: fc.nat({ max: 2 }), count: fc.integer({ min: 1, max: 25 }) }),
    fc.record({ reader: fc.nat({ max: 7 }), limit }),
  ),
  wait: fc.boolean(),
});

it(
  "P11: readers that page forward and back while desks add events end with exactly what the database has",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ filter, backward: fc.boolean() }), { minLength: 1, maxLength: 4 }),
        fc.array(step, { minLength: 1, maxLength: 40, size: "max" }),
        limit,
        async (wanted, steps, lastLimit) => {
          const base = (await record.store.events({ limit: 1 })).head;
          await write(0, 3);
          const readers = wanted.map((one) => new Reader(base, one.filter, one.backward));
          const readerOf = (index: number) => readers[index % readers.length]!;
          let open: Promise<void>[] = [];
          for (const { what, wait } of steps) {
            open.push("write" in what ? write(what.write, what.count) : readerOf(what.reader).read(what.limit));
            if (!wait) continue;
            await Promise.all(open);
            open = [];
          }
          await Promise.all(open);
          for (const reader of readers)
            do await reader.read(lastLimit);
            while (!reader.done);
          const all = record.published.filter(({ position }) => position > base);
          expect(all.map(({ position }) => position)).toEqual(all.map((_, index) => base + 1 + index));
          for (const [index, reader] of readers.entries()) {
            const { filter: own, backward } = wanted[index]!;
            const fits = ({ deskName, kind, position }: DeskEvent) =>
              (own.desk === undefined || own.desk === deskName) &&
              (own.kinds === undefined || own.kinds.includes(kind)) &&
              (!backward || position <= reader.end);
            expect(reader.events).toEqual(all.filter(fits));
          }
        },
      ),
      { numRuns: 60, interruptAfterTimeLimit: 90_000 },
    );
  },
);

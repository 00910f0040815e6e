import { systemStream } from "#lib/protocol/events.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Backend, BackendTurn } from "#lib/core/ports/backend.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { Unit } from "#lib/core/ports/unit.ts";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import type { TurnHandle } from "#lib/core/turn-memory.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { sha256 } from "#tests/support/record.ts";

const rounds = 400;
const deskNames = ["majors", "crypto"];

/** Leaves its turns open for the test until it is told to end. */
class OpenTurns implements Backend {
  readonly name = "open";
  readonly turns = new Map<string, BackendTurn>();
  readonly ended = Promise.withResolvers<void>();

  async run(turn: BackendTurn): Promise<void> {
    this.turns.set(turn.desk.name, turn);
    await this.ended.promise;
  }
}

let isDiskFull = true;

/** The same store, in which the unit of a call that names `LOST` cannot be written while the disk is full. */
function leakyStore(store: Store): Store {
  const isLost = (unit: Unit) => isDiskFull && unit.name === "call" && JSON.stringify(unit.events).includes("LOST");
  return {
    ...store,
    async commit(unit) {
      if (isLost(unit)) throw new Error("the disk is full");
      return store.commit(unit);
    },
  };
}

let backend: OpenTurns;
let desk: TestDesk;

beforeEach(async () => {
  isDiskFull = true;
  backend = new OpenTurns();
  desk = await openTestDesk({ backends: [backend], store: leakyStore, caps: { callsPerTurn: 10_000 } });
  const { backends, toolsets, caps } = await desk.desks.read("majors");
  await desk.desks.create({ name: "crypto", instructions: "", backends, toolsets, caps }, "ann");
  for (const name of deskNames) {
    await desk.triggers.send(name, { text: "go" }, "ann");
    await desk.until((event) => event.kind === "turn_started" && event.deskName === name);
  }
  while (backend.turns.size < deskNames.length) await new Promise(setImmediate);
});

afterEach(async () => {
  await desk.remove();
});

/** What one round starts in the same tick on one desk: what can be recorded among what cannot. */
function startRound(name: string, round: number) {
  const turn = backend.turns.get(name)!;
  const executor = desk.live.find(name)!.executor;
  const closed: TurnHandle = { triggerId: turn.trigger.id, attempt: turn.attempt + 1, backend: "open" };
  const id = `${name}-${round}`;
  return {
    read: turn.call({ name: "get_quote", arguments: { symbol: `R${round}` } }),
    lost: turn.call({ name: "cancel_orders", arguments: { orderId: `LOST-${id}` } }),
    write: turn.call({ name: "cancel_orders", arguments: { orderId: `KEPT-${id}` } }),
    late: executor.execute(closed, { name: "cancel_orders", arguments: { orderId: `LATE-${id}` } }),
    // A condition that does not hold, and a change that cannot be made: both in the store's own queue.
    conflict: desk.record.store.commit(note(id, { when: [{ that: "noDesk", name }] })),
    broken: desk.record.store.commit(
      note(id, { changes: [{ update: "call", key: `none-${id}`, set: { isError: true } }] }),
    ),
    good: desk.record.store.commit(note(`GOOD-${id}`, {})),
  };
}

function note(text: string, parts: Partial<Unit>): Unit {
  const payload = { from: "person" as const, name: "ann", text };
  return {
    name: "note",
    when: [],
    changes: [],
    events: [{ deskName: systemStream, kind: "message", triggerId: null, payload }],
    ...parts,
  };
}

async function settled<Work extends Record<string, Promise<unknown>>>(work: Work) {
  const results = await Promise.allSettled(Object.values(work));
  return Object.fromEntries(Object.keys(work).map((name, index) => [name, results[index]!])) as {
    [Name in keyof Work]: PromiseSettledResult<Awaited<Work[Name]>>;
  };
}

it(
  `P2, P3, P6: of units that fail among good ones in the same tick, ${rounds} times, none takes a good one with it`,
  { timeout: 240_000 },
  async () => {
    const answered: { callId: string; status: string }[] = [];
    const goodPositions: number[] = [];
    for (let round = 0; round < rounds; round += deskNames.length) {
      const started = deskNames.map((name) => startRound(name, round));
      for (const ends of await Promise.all(started.map(settled))) {
        expect(ends.lost).toMatchObject({ status: "rejected" });
        expect(ends.broken).toMatchObject({ status: "rejected" });
        expect(ends.conflict).toMatchObject({ status: "fulfilled", value: { committed: false } });
        expect(ends.read).toMatchObject({ value: { status: "succeeded" } });
        expect(ends.write).toMatchObject({ value: { status: "succeeded" } });
        expect(ends.late).toMatchObject({ value: { status: "refused" } });
        for (const end of [ends.read, ends.write, ends.late]) if (end.status === "fulfilled") answered.push(end.value);
        if (ends.good.status === "fulfilled" && ends.good.value.committed)
          goodPositions.push(ends.good.value.events[0]!.position);
      }
    }
    const { store } = desk.record;
    const rows = new Map<string, string>();
    for (let before: string | undefined; ;) {
      const page = await store.calls({ order: "newest", limit: 500, ...(before !== undefined && { before }) });
      for (const row of page) rows.set(row.id, row.status);
      before = page.at(-1)?.id;
      if (before === undefined) break;
    }
    expect(
      answered.filter(({ callId, status }) => rows.get(callId) !== status),
      "answers that the record does not have",
    ).toEqual([]);
    expect(rows.size, "calls in the record, beside those that were answered").toBe(answered.length);
    expect(goodPositions).toHaveLength(rounds);
    for (const position of goodPositions)
      expect(await store.event(position)).toMatchObject({ payload: { text: expect.stringMatching(/^GOOD-/) } });
    for (const text of ["LOST", "none-"]) expect((await store.events({ text, limit: 1 })).events, text).toEqual([]);
    expect(desk.witness.orders).toHaveLength(rounds);
    for (const name of deskNames) {
      const { executor } = desk.live.find(name)!;
      expect(executor.completedCalls(backend.turns.get(name)!.trigger.id), "a read and a write a round").toHaveLength(
        (rounds / deskNames.length) * 2,
      );
    }
    isDiskFull = false;
    for (const name of deskNames) {
      // The guard has forgotten what could not be recorded: it may be tried again.
      for (let round = 0; round < rounds; round += 50) {
        const again = backend.turns
          .get(name)!
          .call({ name: "cancel_orders", arguments: { orderId: `LOST-${name}-${round}` } });
        expect(await again).toMatchObject({ status: "succeeded" });
      }
    }
    expect((await auditRecord({ dataDir: desk.record.dataDir, digest: sha256 })).findings).toEqual([]);
  },
);

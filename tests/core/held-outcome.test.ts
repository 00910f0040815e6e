import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "#lib/core/ports/store.ts";
import type { Unit } from "#lib/core/ports/unit.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { call, say } from "#tests/support/scripted-backend.ts";

/** What is done in the same moment as a hold's unit, or as a request is read; once. */
let beside: { commit?: (store: Store) => Promise<unknown>; read?: (store: Store) => Promise<unknown> };
let desk: TestDesk;
/** Every request that was read. */
let reads: Promise<unknown>[];

function besideStore(store: Store): Store {
  return {
    ...store,
    async commit(unit) {
      const result = store.commit(unit);
      if (unit.name !== "hold" || !beside.commit) return result;
      const { commit } = beside;
      delete beside.commit;
      return (await Promise.all([result, commit(store)]))[0];
    },
    request(id) {
      const { read } = beside;
      delete beside.read;
      const row = store.request(id).then(async (found) => {
        await read?.(store);
        return found;
      });
      reads.push(row);
      return row;
    },
  };
}

const order = { symbol: "EURUSD", quantity: "200000" };
const stopAll = (store: Store) => {
  const at = new Date(desk.clock.now()).toISOString();
  const stop: Unit = {
    name: "stop",
    when: [],
    changes: [{ cancel: "requests", deskName: desk.name, by: "ann", reason: "stopped", at }],
    events: [],
  };
  return store.commit(stop);
};

beforeEach(async () => {
  beside = {};
  reads = [];
  desk = await openTestDesk({ store: besideStore });
});

afterEach(async () => {
  desk.backend.assertDone();
  await desk.remove();
});

async function shown(of: TestDesk, triggerId: string): Promise<string[]> {
  await Promise.all(reads);
  return of.executor.completedCalls(triggerId).map(({ resultText }) => resultText);
}

it("P8: a call whose hold is cancelled in the same moment is completed as cancelled", async () => {
  beside.commit = stopAll;
  desk.backend.turn(call("place_order", order), say("seen"));
  const triggerId = await desk.turn();
  expect(await shown(desk, triggerId)).toEqual([expect.stringContaining("was cancelled")]);
});

it("P8: a call that joins a hold which is cancelled in the same moment is completed as cancelled", async () => {
  desk.backend.turn(call("place_order", order));
  await desk.turn();
  beside.commit = stopAll;
  desk.backend.turn(call("place_order", order), say("seen"));
  const triggerId = await desk.turn();
  expect(await shown(desk, triggerId)).toEqual([expect.stringContaining("was cancelled")]);
});

it("P8: a held call that is primed while its request changes is completed as that request stands", async () => {
  desk.backend.turn(call("place_order", order));
  const triggerId = await desk.turn();
  const calls = await desk.calls();
  const again = await openTestDesk({ record: desk.record, store: besideStore });
  beside.read = stopAll;
  await again.executor.prime(triggerId, calls);
  expect(await shown(again, triggerId)).toEqual([expect.stringContaining("was cancelled")]);
  await again.live.close();
});

it("a hold that waits keeps the words that it was answered with", async () => {
  desk.backend.turn(call("place_order", order), say("seen"));
  const triggerId = await desk.turn();
  expect(await shown(desk, triggerId)).toEqual([expect.stringMatching(/^Held: it waits/)]);
});

import { beforeEach, describe, expect, it, test } from "vitest";
import { LoopGuard, type GuardedCall } from "#lib/core/loop-guard.ts";
import type { Effect, Outcome } from "#lib/protocol/states.ts";

let guard: LoopGuard;
let calls = 0;

beforeEach(() => {
  guard = new LoopGuard();
  guard.startTurn("t1");
  calls = 0;
});

function asked(key: string, effect: Effect = "read", triggerId = "t1"): GuardedCall {
  calls += 1;
  return { triggerId, callId: `c${calls}`, name: key.split(" ")[0] ?? key, effect, key };
}

/** Asks for a read; gives whether it passed. */
function read(key: string, text: string): boolean {
  const call = asked(key);
  const passed = guard.allows(call);
  if (passed) guard.observe(call, { text, outcome: "done" });
  return passed;
}

function write(key: string, outcome: Outcome = "done", text = "filled"): boolean {
  const call = asked(key, "write");
  const passed = guard.allows(call);
  if (passed) guard.observe(call, { text, outcome });
  return passed;
}

/** Asks for each read in turn, `key=result`; gives those that passed by their number, from 1. */
function passing(...reads: string[]): number[] {
  return reads.flatMap((one, index) => {
    const [key = "", text = ""] = one.split("=");
    return read(key, text) ? [index + 1] : [];
  });
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("a read", () => {
  test("P7, G2: passes while its result changes; the unchanged ones behind it are refused", () => {
    expect(passing("o1=open", "o1=open", "o1=partial", "o1=filled")).toEqual([1, 2, 3, 4]);
    expect(passing(...times(20, "o1=open"))).toEqual([1, 2, 3]);
  });

  test("P7, G2: twenty polls that all change pass", () => {
    expect(passing(...Array.from({ length: 20 }, (_, index) => `o1=${index}`))).toHaveLength(20);
  });

  test("P7: two results that take turns are honest polling", () => {
    expect(passing(...times(10, ["o1=open", "o1=partial"]).flat())).toHaveLength(20);
  });

  test("P7: a row of unchanged results is ended by another call", () => {
    expect(passing("o1=open", "o1=open", "o1=open", "o2=open", "o1=open")).toEqual([1, 2, 3, 4, 5]);
  });

  test("P7: a row of unchanged results is ended by a write", () => {
    expect(passing(...times(4, "o1=open"))).toEqual([1, 2, 3]);
    expect(write("cancel o1")).toBe(true);
    expect(read("o1", "open")).toBe(true);
  });

  test("P7, G2: its refusal quotes the result and hints to wait", () => {
    passing(...times(3, "get_order o1=status open"));
    const text = guard.refusalText(asked("get_order o1"));
    expect(text).toContain("get_order");
    expect(text).toContain("status open");
    expect(text).toMatch(/wait/);
  });

  test("P7: asked for many times at the same moment is refused from the fourth on, and says that it is running", () => {
    expect(times(6, "o1").map((key) => guard.allows(asked(key)))).toEqual([true, true, true, false, false, false]);
    expect(guard.refusalText(asked("o1"))).toMatch(/is running/);
  });

  test("P7: a refused call changes nothing, however often it comes", () => {
    passing(...times(3, "o1=open"));
    for (let again = 0; again < 10; again += 1) expect(guard.allows(asked("o1"))).toBe(false);
    expect(read("o2", "x")).toBe(true);
    expect(read("o1", "filled")).toBe(true);
  });

  test("P7: a result that differs in white space or case is a changed one", () => {
    expect(passing("o1=open", "o1=Open", "o1=open ", "o1=open", "o1=OPEN")).toHaveLength(5);
  });
});

describe("a cycle of reads", () => {
  test.each([2, 3, 4, 5])("P7: of %i calls is refused when it comes round a third time unchanged", (period) => {
    const round = Array.from({ length: period }, (_, index) => `k${index}=same`);
    const passed = passing(...times(4, round).flat());
    expect(passed.length).toBe(period * 3 - 1);
    expect(passed).toEqual(Array.from({ length: period * 3 - 1 }, (_, index) => index + 1));
  });

  test.each([2, 3, 4, 5])("P7: of %i calls in which one result changes passes", (period) => {
    const rounds = times(5, 0).flatMap((_, round) =>
      Array.from({ length: period }, (__, index) => `k${index}=${index === 0 ? round : "same"}`),
    );
    expect(passing(...rounds)).toHaveLength(rounds.length);
  });

  test("P7: of six calls is not looked for", () => {
    const rounds = times(4, ["a=1", "b=1", "c=1", "d=1", "e=1", "f=1"]).flat();
    expect(passing(...rounds)).toHaveLength(rounds.length);
  });

  test("P7: that only nearly comes round passes", () => {
    expect(passing("a=1", "b=1", "a=1", "b=1", "a=1", "c=1", "b=1")).toHaveLength(7);
  });

  test.each(["aab", "abb", "aba", "aabb"])(
    "P7: of %s, in which a call comes twice, counts as the whole round",
    (keys) => {
      const round = keys.split("").map((key) => `${key}=1`);
      expect(passing(...times(6, round).flat()).length).toBe(keys.length * 3 - 1);
    },
  );

  test("P7: is refused as long as nothing else is asked, and may go on after that", () => {
    const round = ["a=1", "b=1"];
    expect(passing(...times(10, round).flat())).toEqual([1, 2, 3, 4, 5]);
    expect(passing("c=1", "a=1", "b=1", "a=2", "b=1")).toEqual([1, 2, 3, 4, 5]);
  });

  test("P7: its refusal quotes the result of the call that is repeated, not of its neighbour", () => {
    passing(
      "get_order o1=OPEN",
      "get_quote EURUSD=1.16",
      "get_order o1=OPEN",
      "get_quote EURUSD=1.16",
      "get_order o1=OPEN",
    );
    const text = guard.refusalText(asked("get_quote EURUSD"));
    expect(text).toContain("1.16");
    expect(text).not.toContain("OPEN");
  });

  test("P7: is still found behind many other calls", () => {
    passing(...Array.from({ length: 200 }, (_, index) => `x${index}=1`));
    expect(passing("a=1", "b=1", "a=1", "b=1", "a=1", "b=1")).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("a write", () => {
  test("P7: runs once in a turn", () => {
    expect([write("buy"), write("buy"), write("sell"), write("buy")]).toEqual([true, false, true, false]);
  });

  test("P7: is remembered however many calls lie between", () => {
    write("buy");
    passing(...Array.from({ length: 500 }, (_, index) => `x${index}=1`));
    expect(write("buy")).toBe(false);
  });

  test("P7: may be repeated after it was surely not done, and once done never again", () => {
    expect(write("buy", "notDone")).toBe(true);
    expect(write("buy", "notDone")).toBe(true);
    expect(write("buy", "done")).toBe(true);
    expect(write("buy")).toBe(false);
  });

  test("P7: is not repeated while its outcome is unknown", () => {
    write("buy", "unknown", "timed out");
    expect(write("buy")).toBe(false);
    expect(guard.refusalText(asked("buy", "write"))).toContain("timed out");
  });

  test("P7, G3: asked for twice at the same moment passes once; the other is told that it is running", () => {
    expect(guard.allows(asked("buy", "write"))).toBe(true);
    expect(guard.allows(asked("buy", "write"))).toBe(false);
    expect(guard.refusalText(asked("buy", "write"))).toMatch(/is running in this turn/);
  });

  test("P7: its refusal quotes the result that the model has", () => {
    write("place_order x", "done", "filled 200000 at 1.16042");
    expect(guard.refusalText(asked("place_order x", "write"))).toContain("filled 200000 at 1.16042");
  });

  test("P7: that was taken back may be asked for again", () => {
    const call = asked("buy", "write");
    guard.allows(call);
    guard.forget(call);
    expect(write("buy")).toBe(true);
  });

  test("P7: taking back a refused repeat does not free the call that ran", () => {
    write("buy");
    const repeat = asked("buy", "write");
    expect(guard.allows(repeat)).toBe(false);
    guard.forget(repeat);
    expect(write("buy")).toBe(false);
  });
});

describe("turns", () => {
  it("P7, G3: count for themselves: the same write is allowed in the next turn", () => {
    expect(write("buy")).toBe(true);
    expect(guard.allows(asked("buy", "write", "t2"))).toBe(true);
    expect(write("buy")).toBe(false);
  });

  it("P7, P8: starting a turn again, for another attempt, forgets nothing", () => {
    write("buy");
    guard.startTurn("t1");
    expect(write("buy")).toBe(false);
  });

  it("ending a turn frees what it held in memory, and only that", () => {
    write("buy");
    guard.allows(asked("buy", "write", "t2"));
    guard.endTurn("t1");
    expect(write("buy")).toBe(true);
    expect(guard.allows(asked("buy", "write", "t2"))).toBe(false);
  });

  it("a read that was taken back does not count towards a row", () => {
    passing("o1=open", "o1=open");
    const call = asked("o1");
    guard.allows(call);
    guard.forget(call);
    expect(passing("o1=open", "o1=open")).toEqual([1]);
  });
});

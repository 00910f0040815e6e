import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { BackendFailure, type BackendTurn, type CallAnswer } from "#lib/core/ports/backend.ts";
import {
  call,
  fail,
  hangForEver,
  hangUntilAborted,
  lateCall,
  look,
  rejects,
  say,
  ScriptedBackend,
  startCall,
  together,
  waitFor,
} from "#tests/support/scripted-backend.ts";

const answer: CallAnswer = {
  callId: "c1",
  text: "1.16",
  isError: false,
  outcome: "done",
  status: "succeeded",
  requestId: null,
  picturePath: null,
};

function newTurn(changes: Partial<BackendTurn> = {}): BackendTurn {
  return {
    desk: { name: "majors", instructions: "" },
    trigger: { id: "t1", kind: "message", from: "ann", text: "hello", data: {}, requestId: null },
    attempt: 1,
    tools: [],
    completedCalls: [],
    pendingRequests: [],
    signal: new AbortController().signal,
    call: async () => answer,
    say: async () => {},
    countModelRequest: async () => true,
    ...changes,
  };
}

test("a script that was played to its end is done, with its answers kept", async () => {
  const backend = new ScriptedBackend().turn(
    look((turn) => expect(turn.completedCalls).toEqual([])),
    call("get_quote", { symbol: "EURUSD" }, ({ text }) => text === "1.16"),
    together(call("a"), call("b")),
    say("hello"),
  );
  await backend.run(newTurn());
  backend.assertDone();
  expect(backend.answers.map(({ name }) => name)).toEqual(["get_quote", "a", "b"]);
});

test("an unexpected turn, an unexpected answer and a left-over turn or step are told", async () => {
  const unexpected = new ScriptedBackend("a");
  await expect(unexpected.run(newTurn())).rejects.toThrow('turn 1 (message "hello") was not expected');
  expect(() => unexpected.assertDone()).toThrow("was not expected");

  const wrong = new ScriptedBackend("b").turn(call("get_quote", {}, ({ isError }) => isError));
  await expect(wrong.run(newTurn())).rejects.toThrow("was not the expected one");
  expect(() => wrong.assertDone()).toThrow("the answer to get_quote was not the expected one");

  expect(() => new ScriptedBackend("c").turn(say("x")).assertDone()).toThrow('a turn was left: say "x"');

  const stopped = new ScriptedBackend("d").turn(fail("overloaded"), say("x"));
  await expect(stopped.run(newTurn())).rejects.toBeInstanceOf(BackendFailure);
  expect(() => stopped.assertDone()).toThrow('turn 1 did not get past: fail: scripted overloaded, say "x"');
});

test("it fails as a backend does, also where the call itself rejects", async () => {
  const backend = new ScriptedBackend().turn(rejects(call("a")), fail("rate_limited", "slow down", 500));
  const turn = newTurn({ call: () => Promise.reject(new Error("no record")) });
  await expect(backend.run(turn)).rejects.toMatchObject({ kind: "rate_limited", retryAfterMs: 500 });
  backend.assertDone();
});

test("it hangs until it is aborted, and calls late, after its turn", async () => {
  const abort = new AbortController();
  const called: string[] = [];
  const turn = newTurn({
    signal: abort.signal,
    call: async ({ name }) => {
      called.push(name);
      return answer;
    },
  });
  const backend = new ScriptedBackend().turn(startCall("early"), lateCall("late"), hangUntilAborted());
  const run = backend.run(turn);
  await Promise.resolve();
  expect(() => backend.assertDone()).toThrow("late late has no answer");
  abort.abort();
  await run;
  await backend.settled();
  backend.assertDone();
  expect(called).toEqual(["early", "late"]);
});

test("it waits for the test, and may hang for ever as its last step", async () => {
  const gate = Promise.withResolvers<void>();
  const backend = new ScriptedBackend().turn(waitFor(gate.promise), call("a"), hangForEver());
  const run = backend.run(newTurn());
  expect(backend.answers).toEqual([]);
  expect(() => backend.assertDone()).toThrow("did not get past: wait for the test, call a, hang for ever");
  gate.resolve();
  await setImmediate();
  backend.assertDone();
  expect(backend.answers).toHaveLength(1);
  await expect(Promise.race([run, Promise.resolve("still hanging")])).resolves.toBe("still hanging");
});

import { expect, test } from "vitest";
import { definePlaybook } from "#lib/backends/playbook.ts";
import type { BackendTurn } from "#lib/core/ports/backend.ts";
import type { TriggerKind } from "#lib/protocol/states.ts";
import type { JsonObject } from "#lib/protocol/json.ts";

function turnOf(kind: TriggerKind, data: JsonObject = {}): BackendTurn & { said: string[] } {
  const said: string[] = [];
  return {
    said,
    desk: { name: "majors", instructions: "" },
    trigger: { id: "t1", kind, from: "ann", text: "hello", data, requestId: null },
    attempt: 1,
    tools: [],
    completedCalls: [],
    pendingRequests: [],
    signal: new AbortController().signal,
    call: () => Promise.reject(new Error("no calls here")),
    say: async (text) => {
      said.push(text);
    },
    countModelRequest: async () => true,
  };
}

const outcome = {
  requestId: "r1",
  label: "R-1",
  tool: "place_order",
  arguments: "{}",
  state: "denied",
  by: "ann",
  note: null,
  resolution: null,
  resultText: null,
};

test("each kind of trigger goes to its handler, with what it brings", async () => {
  const seen: unknown[] = [];
  const playbook = definePlaybook({
    name: "seen",
    onSchedule: async ({ trigger }) => void seen.push(trigger.kind),
    onMessage: async ({ trigger }) => void seen.push(trigger.text),
    onAnswer: async (_turn, answer) => void seen.push(answer.label),
    onOutcome: async (_turn, { state }) => void seen.push(state),
    onWebhook: async ({ trigger }) => void seen.push(trigger.kind),
  });
  await playbook.run(turnOf("schedule"));
  await playbook.run(turnOf("message"));
  await playbook.run(turnOf("answer", { requestId: "r1", label: "R-1", by: "ann", answers: [] }));
  await playbook.run(turnOf("outcome", outcome));
  await playbook.run(turnOf("webhook"));
  await playbook.run(turnOf("agent"));
  expect(seen).toEqual(["schedule", "hello", "R-1", "denied", "webhook"]);
});

test("a playbook is named for desks and tells its schedule; one without has none", () => {
  const schedule = { everyMs: 1000, firstAfterMs: 0, text: "look" };
  expect(definePlaybook({ name: "a", schedule })).toMatchObject({ name: "playbook:a", schedule });
  expect(definePlaybook({ name: "b" }).schedule).toBeUndefined();
});

test("what has no handler ends the turn quietly, but a person always hears something", async () => {
  const playbook = definePlaybook({ name: "quiet" });
  for (const kind of ["schedule", "webhook", "agent"] as const) {
    const turn = turnOf(kind);
    await playbook.run(turn);
    expect(turn.said).toEqual([]);
  }
  const told = turnOf("message");
  await playbook.run(told);
  expect(told.said).toEqual(["This desk runs a playbook that does not read messages."]);
});

test("data that is no outcome fails the turn", async () => {
  await expect(definePlaybook({ name: "a", onOutcome: async () => {} }).run(turnOf("outcome"))).rejects.toThrow(
    "requestId",
  );
});

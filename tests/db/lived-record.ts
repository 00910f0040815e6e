import type { CallRow, RequestRow, RuleRow } from "#lib/core/record.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { Change } from "#lib/core/ports/unit.ts";
import { systemStream, type EventPayload, type NewEvent } from "#lib/protocol/events.ts";
import { callRow, deskRow, message, requestRow, ruleRow, triggerRow, unit } from "#tests/support/record-rows.ts";

const about = { deskName: "majors", triggerId: "T1" } as const;

function called(row: CallRow): NewEvent {
  const { id: callId, name, attempt, backend } = row;
  return { ...about, kind: "tool_call", payload: { triggerId: "T1", callId, name, arguments: {}, attempt, backend } };
}

function answered(row: CallRow): NewEvent {
  const payload = {
    triggerId: "T1",
    callId: row.id,
    name: row.name,
    isError: row.isError ?? false,
    text: row.resultText ?? "",
    status: row.status as EventPayload<"tool_result">["status"],
    outcome: row.outcome ?? "notDone",
  };
  return { ...about, kind: "tool_result", payload };
}

function asked(row: RequestRow): NewEvent {
  const { id: requestId, number, kind, callId, tool } = row;
  return { ...about, kind: "user_request", payload: { requestId, number, kind, callId, tool, summary: "SELL" } };
}

function changed(row: RequestRow, from: RequestRow["state"], to: RequestRow["state"]): NewEvent {
  return { ...about, kind: "user_request_changed", payload: { requestId: row.id, number: row.number, from, to } };
}

/** Commits what a desk does in a short life: every table, every kind of event that the audit compares, two desks. */
export async function live(store: Store): Promise<void> {
  const commit = async (changes: Change[], events: NewEvent[]) => await store.commit(unit({ changes, events }));
  const desks = [deskRow(), deskRow({ name: "crypto", status: "paused" })];
  for (const desk of desks) {
    const payload = { status: desk.status, by: "lea", changes: {} };
    await commit(
      [{ insert: "desk", row: desk }],
      [{ deskName: desk.name, kind: "desk_changed", triggerId: null, payload }],
    );
  }
  const rules: RuleRow[] = [ruleRow(), ruleRow({ id: "U2", verdict: "deny", tool: "*" })];
  for (const [index, rule] of rules.entries()) {
    const payload = { version: index + 1, by: "lea", ruleId: rule.id, change: "added" as const, rule: { ...rule } };
    const event = { deskName: systemStream, kind: "policy_changed", triggerId: null, payload } as const;
    await commit([{ insert: "rule", row: rule }, { bump: "policy" }], [event]);
  }

  const queued = { triggerId: "T1", kind: "message", from: "ann", text: "Trim", runs: 0 } as const;
  await commit([{ insert: "trigger", row: triggerRow() }], [{ ...about, kind: "trigger_queued", payload: queued }]);
  await commit(
    [{ update: "trigger", key: "T1", set: { state: "running", runs: 1 } }],
    [{ ...about, kind: "turn_started", payload: { triggerId: "T1", run: 1, attempt: 1 } }],
  );

  const quote = callRow();
  const quoted: CallRow = {
    ...quote,
    status: "succeeded",
    outcome: "done",
    isError: false,
    resultText: "1.16\u0000040",
  };
  await commit([{ insert: "call", row: quote }], [called(quote)]);
  await commit([{ update: "call", key: "C1", set: quoted }], [answered(quoted)]);

  const order = { id: "C2", name: "place_order", effect: "write", idempotencyKey: "C2" } as const;
  const held = callRow({ ...order, status: "held", isError: false, resultText: "waits as R-1", requestId: "R1" });
  const hold = requestRow({ callId: "C2" });
  const events = [called(held), asked(hold), answered(held)];
  await commit(
    [
      { insert: "call", row: held },
      { insert: "request", row: hold },
    ],
    events,
  );
  await commit([{ update: "request", key: "R1", set: { state: "approved" } }], [changed(hold, "pending", "approved")]);
  const run = callRow({ ...order, id: "C3", requestId: "R1" });
  await commit(
    [
      { update: "request", key: "R1", set: { state: "running", runCallId: "C3" } },
      { insert: "call", row: run },
    ],
    [changed(hold, "approved", "running"), called(run)],
  );
  const ran: CallRow = { ...run, status: "succeeded", outcome: "done", isError: false, resultText: "filled" };
  await commit(
    [
      { update: "call", key: "C3", set: ran },
      { update: "request", key: "R1", set: { state: "completed" } },
    ],
    [answered(ran), changed(hold, "running", "completed")],
  );
  const question = requestRow({ id: "R2", number: 2, kind: "question", tool: "ask_user", callId: "C2" });
  await commit([{ insert: "request", row: question }], [asked(question)]);
  const running = callRow({ id: "C4" });
  await commit([{ insert: "call", row: running }], [called(running)]);
  await commit([], [message("crypto", "good night"), message("majors", "the last but one", "T1")]);
  await commit([], [message("majors", "the last", "T1")]);
}

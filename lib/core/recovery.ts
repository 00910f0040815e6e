import type { CoreDeps } from "./deps.ts";
import type { LiveDesks } from "./live-desks.ts";
import { queuedEvent } from "./outcome-triggers.ts";
import { isoNow } from "./ports/clock.ts";
import type { CallRow, TriggerRow } from "./record.ts";
import { resultUnit } from "./result-units.ts";
import { mayRunAgain } from "./turn-runner.ts";

/** What a recovery did, for the log. */
export interface Recovered {
  uncertainCalls: number;
  failedReads: number;
  turnsAgain: number;
  turnsFailed: number;
  approved: number;
}

const atOnce = 200;

/**
 * Brings the record of a process that ended in the middle of its work to a state that this one can go on from. Runs
 * before anything else of the desks does: a `write` that was running becomes uncertain, a `read` failed; an interrupted
 * turn is queued again, three runs at most. Nothing is started here.
 */
export async function recoverRecord(live: LiveDesks, deps: CoreDeps): Promise<Omit<Recovered, "approved">> {
  const recovered = { uncertainCalls: 0, failedReads: 0, turnsAgain: 0, turnsFailed: 0 };
  for (;;) {
    const running = await deps.store.calls({ statuses: ["recorded", "running"], order: "oldest", limit: atOnce });
    for (const call of running) {
      await endInterrupted(call, deps);
      recovered[call.effect === "read" ? "failedReads" : "uncertainCalls"] += 1;
    }
    if (running.length < atOnce) break;
  }
  for (;;) {
    const turns = await deps.store.triggers({ states: ["running"], order: "next", limit: atOnce });
    for (const turn of turns) {
      if (live.find(turn.deskName) && mayRunAgain(turn)) await queueAgain(turn, deps);
      else await failInterrupted(turn, deps);
      recovered[mayRunAgain(turn) ? "turnsAgain" : "turnsFailed"] += 1;
    }
    if (turns.length < atOnce) break;
  }
  return recovered;
}

/**
 * Starts what was approved before the last process ended, in the order of the decisions; what is past its `runBy` is made
 * void. Does not wait for the runs.
 */
export async function resumeApproved(live: LiveDesks, deps: CoreDeps): Promise<number> {
  const approved = await deps.store.requests({
    kinds: ["permission"],
    states: ["approved"],
    order: "oldest",
    limit: 10_000,
  });
  const ordered = approved.toSorted((a, b) => ((a.decidedAt ?? "") < (b.decidedAt ?? "") ? -1 : 1));
  for (const request of ordered) {
    live
      .find(request.deskName)
      ?.executor.runApproved(request.id)
      .catch((error: unknown) =>
        deps.log.error({ err: error, request: request.id }, "an approved call could not be carried out"),
      );
  }
  return ordered.length;
}

async function endInterrupted(call: CallRow, deps: CoreDeps): Promise<void> {
  const write = call.effect !== "read";
  const text = `${call.name} was interrupted by a restart of the server`;
  const request = call.requestId === null ? null : await deps.store.request(call.requestId);
  const end = resultUnit(
    {
      row: call,
      result: { text, isError: true, outcome: write ? "unknown" : "notDone" },
      request,
      toolDigest: request?.toolDigest ?? "",
    },
    deps,
  );
  const result = await deps.store.commit({ ...end.unit, name: "recovery" });
  if (!result.committed) throw new Error(`the recovery of call ${call.id} was refused by the record`);
}

async function queueAgain(turn: TriggerRow, deps: CoreDeps): Promise<void> {
  await deps.store.commit({
    name: "recovery",
    when: [{ that: "trigger", id: turn.id, state: ["running"] }],
    changes: [{ update: "trigger", key: turn.id, set: { state: "queued", attemptOpen: false } }],
    events: [queuedEvent(turn)],
  });
}

async function failInterrupted(turn: TriggerRow, deps: CoreDeps): Promise<void> {
  const reason = `it was interrupted ${turn.runs} times by a restart of the server, and is not run again`;
  const endedAt = isoNow(deps.clock);
  await deps.store.commit({
    name: "recovery",
    when: [{ that: "trigger", id: turn.id, state: ["running"] }],
    changes: [
      { update: "trigger", key: turn.id, set: { state: "failed", attemptOpen: false, endedAt, endReason: reason } },
    ],
    events: [
      {
        deskName: turn.deskName,
        kind: "message",
        triggerId: turn.id,
        payload: { from: "deskboard", name: "Deskboard", text: `This turn failed: ${reason}.` },
      },
      {
        deskName: turn.deskName,
        kind: "turn_ended",
        triggerId: turn.id,
        payload: { triggerId: turn.id, state: "failed", reason },
      },
    ],
  });
}

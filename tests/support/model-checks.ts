import { expect } from "vitest";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { CallRow, RequestRow } from "#lib/core/record.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { sha256 } from "./record.ts";
import type { CallStatus } from "#lib/protocol/states.ts";
import type { How } from "./model-outside.ts";
import type { ModelAction } from "./model-actions.ts";
import type { ModelStep } from "./model-backend.ts";
import { confirmedProblems } from "./model-confirmed.ts";
import { completedProblems } from "./model-completed.ts";
import { perform } from "./model-people.ts";
import { ModelReplay } from "./model-replay.ts";
import { ModelWorld } from "./model-world.ts";

/** Lives through a sequence on a record of its own and checks that no promise was broken. */
export async function expectSequenceKept(
  actions: readonly ModelAction[],
  followUp: readonly ModelStep[],
): Promise<void> {
  const world = await ModelWorld.open();
  try {
    world.scripts.followUp = followUp;
    for (const action of actions) {
      await perform(world, action);
      if (!action.settle) continue;
      await world.settle();
      expect(world.blocked, "P13: what has to work whatever hangs").toEqual([]);
    }
    await world.settle();
    await expectKept(world);
  } finally {
    await world.remove();
  }
}

/** Brings a world to rest and checks that no promise was broken on the way. */
export async function expectKept(world: ModelWorld): Promise<void> {
  await world.rest();
  const { store } = world.record;
  const events = await allEvents(store);
  const calls = await store.calls({ order: "oldest", limit: 1000 });
  const requests = await store.requests({ order: "oldest", limit: 1000 });
  const tables = { calls: byId(calls), requests: byId(requests) };
  const problems = [
    ...world.outside.problems,
    ...new ModelReplay(tables, !world.wasFaulty).read(events),
    ...runProblems(world, calls, tables.requests),
    ...approvalProblems(world, requests, events),
    ...repeatProblems(calls),
    ...outcomeProblems(requests, events),
    ...(await confirmedProblems(world, tables.requests, events)),
    ...completedProblems(world, calls, tables.requests, events),
  ];
  expect(problems).toEqual([]);
  expect(world.published, "what was published, beside what the database has").toEqual(events);
  await world.restart("graceful");
  expect((await allEvents(world.record.store)).slice(events.length), "what a restart at rest adds").toEqual([]);
  const report = await auditRecord({ dataDir: world.record.dataDir, digest: sha256 });
  expect(report.findings, "P15").toEqual([]);
  expect(report.checked).toMatchObject({ events: events.length, calls: calls.length, requests: requests.length });
}

/** P1, P2, P4: what the outside saw, beside what the record says. */
function runProblems(
  world: ModelWorld,
  calls: readonly CallRow[],
  requests: ReadonlyMap<string, RequestRow>,
): string[] {
  const problems: string[] = [];
  const { runs } = world.outside;
  const rows = byId(calls);
  for (const run of runs) {
    const row = rows.get(run.callId);
    const what = `run of ${run.tool} for call ${run.callId}`;
    if (!row || !["succeeded", "failed", "uncertain"].includes(row.status)) {
      problems.push(`P1: ${what}, whose call is ${row?.status ?? "not there"}`);
      continue;
    }
    if (run.effect === "write" && run.statusAtStart !== "running") {
      problems.push(`P2: ${what} started when the record had it ${run.statusAtStart ?? "not at all"}`);
    }
    if (run.effect === "write" && !endsOf(run.end).includes(row.status)) {
      problems.push(`${what} ended ${run.end ?? "with its process"}, and its call is ${row.status}`);
    }
    if (run.arguments !== row.arguments || run.key !== row.idempotencyKey)
      problems.push(`P4: ${what} had other arguments or another key`);
    const request = row.requestId === null ? undefined : requests.get(row.requestId);
    if (request && request.runCallId !== row.id) problems.push(`P4: ${what} is not the call that ${request.id} names`);
  }
  for (const [callId, own] of Map.groupBy(runs, (run) => run.callId)) {
    if (own.length > 1) problems.push(`P4: call ${callId} ran ${own.length} times`);
  }
  for (const row of calls) {
    // A call that was killed before its tool began is taken as uncertain, or as a read that failed.
    if (row.status === "succeeded" && row.name !== "ask_user" && !runs.some((run) => run.callId === row.id)) {
      problems.push(`call ${row.id} of ${row.name} succeeded and never ran`);
    }
  }
  for (const request of requests.values()) {
    if (request.kind !== "permission" || ["completed", "failed", "uncertain"].includes(request.state)) continue;
    if (runs.some((run) => run.key === request.id))
      problems.push(`P4: request ${request.id} is ${request.state} and ran`);
  }
  return problems;
}

/** What a write's call may be in the end: where its result came too late, or not at all, it is uncertain. */
function endsOf(end: How | null): CallStatus[] {
  if (end === "done") return ["succeeded", "uncertain"];
  return end === "notDone" ? ["failed", "uncertain"] : ["uncertain"];
}

/** P4, P5: a hold ran at most once, with the arguments of an approval that somebody gave. */
function approvalProblems(world: ModelWorld, requests: readonly RequestRow[], events: readonly DeskEvent[]): string[] {
  const problems: string[] = [];
  for (const request of requests.filter(({ kind }) => kind === "permission")) {
    const changes = events.flatMap((event) =>
      event.kind === "user_request_changed" && event.payload.requestId === request.id ? [event.payload] : [],
    );
    const tried = world.approvals.filter(({ requestId }) => requestId === request.id);
    for (const { by } of changes.filter(({ to }) => to === "approved")) {
      if (!tried.some((one) => one.by === by)) problems.push(`P4: ${request.id} was approved by ${by}, who did not`);
    }
    if (changes.filter(({ to }) => to === "running").length > 1) problems.push(`P4: ${request.id} ran more than once`);
    const direct = world.outside.runs.filter((run) => run.callId === request.runCallId);
    for (const run of direct) {
      const fits = tried.some((one) => one.arguments === run.arguments && one.by === request.decidedBy);
      if (!fits || run.key !== request.id)
        problems.push(`P4: ${request.id} ran ${run.arguments}, which nobody approved`);
    }
  }
  return problems;
}

/** P6, P7, P8: within a turn, no write that took effect, or may have, was made a second time. */
function repeatProblems(calls: readonly CallRow[]): string[] {
  const own = calls.filter(
    (row) => row.effect === "write" && row.requestId === null && ["succeeded", "uncertain"].includes(row.status),
  );
  return [...Map.groupBy(own, (row) => `${row.triggerId} ${row.identity}`).values()]
    .filter((rows) => rows.length > 1)
    .map(
      (rows) => `P8: a turn made the same write twice: ${rows.map((row) => `${row.id} (${row.status})`).join(", ")}`,
    );
}

/** Each end of a request is told to its desk, once. */
function outcomeProblems(requests: readonly RequestRow[], events: readonly DeskEvent[]): string[] {
  return requests.flatMap((request) => {
    let ends = 0;
    let told = 0;
    for (const event of events) {
      if (event.kind === "user_request_changed" && event.payload.requestId === request.id) {
        if (!["approved", "running", "cancelled"].includes(event.payload.to)) ends += 1;
      }
      if (event.kind === "trigger_queued" && event.payload.requestId === request.id && event.payload.runs === 0)
        told += 1;
    }
    return ends === told
      ? []
      : [`${request.id} (${request.kind}, ${request.state}) had ${ends} outcomes, of which ${told} were told`];
  });
}

async function allEvents(store: Store): Promise<DeskEvent[]> {
  const events: DeskEvent[] = [];
  for (;;) {
    const page = await store.events({ after: events.at(-1)?.position ?? 0, limit: 500 });
    events.push(...page.events);
    if (!page.more) return events;
  }
}

function byId<Row extends { id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

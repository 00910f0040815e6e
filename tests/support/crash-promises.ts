import { limits } from "#lib/protocol/limits.ts";
import type { CallRow, RequestRow } from "#lib/core/record.ts";
import { isAllowedChange, requestLabel } from "#lib/core/user-requests-table.ts";
import type { DeskEvent, DeskEventOf } from "#lib/protocol/events.ts";
import type { Aftermath } from "./crash-run.ts";
import type { Report } from "./crash-script.ts";

/** Every promise that a crash broke, in words; none where all hold. Whatever was killed, these have to hold. */
export function brokenPromises(aftermath: Aftermath): string[] {
  return [
    ...aftermath.complaints,
    ...lostConfirmations(aftermath),
    ...callsWithoutOneResult(aftermath),
    ...unrecordedWork(aftermath),
    ...repeatedWrites(aftermath),
    ...unexplainedRuns(aftermath),
    ...requestsLeftOpen(aftermath),
    ...untoldOutcomes(aftermath),
    ...turnsNotRun(aftermath),
    ...unprimedTurns(aftermath),
  ];
}

function ofKind<K extends Report["report"]>(reports: readonly Report[], kind: K): Extract<Report, { report: K }>[] {
  return reports.filter((report): report is Extract<Report, { report: K }> => report.report === kind);
}

function eventsOf<K extends DeskEvent["kind"]>(events: readonly DeskEvent[], kind: K): DeskEventOf<K>[] {
  return events.filter((event): event is DeskEventOf<K> => event.kind === kind);
}

/** P6: what the outside was told is in the record. */
function lostConfirmations({ seen, rows }: Aftermath): string[] {
  const all = seen.flat();
  const broken: string[] = [];
  const hashes = new Map(rows.events.map((event) => [event.position, event.hash]));
  for (const { position, hash } of ofKind(all, "published").flatMap((report) => report.events)) {
    if (hashes.get(position) !== hash) broken.push(`P6: the published event ${position} is lost`);
  }
  for (const { callId, status, text } of ofKind(all, "answered")) {
    const call = rows.calls.find((row) => row.id === callId);
    const isKept = call?.status === status && call.resultText === text;
    if (!isKept) broken.push(`P2, P6: a backend saw ${status} of call ${callId}, the record has ${call?.status}`);
  }
  for (const { triggerId, clientId, text } of ofKind(all, "accepted")) {
    const same = rows.triggers.filter(
      (row) => row.id === triggerId || (clientId !== null && row.clientId === clientId),
    );
    const isKept = same.length === 1 && same[0]?.id === triggerId && same[0].text === text;
    if (!isKept) broken.push(`P6: the accepted message ${clientId} is there ${same.length} times`);
  }
  const changes = eventsOf(rows.events, "user_request_changed").map((event) => event.payload);
  for (const { requestId, to } of ofKind(all, "decided")) {
    const isKept = changes.some((change) => change.requestId === requestId && change.to === to && change.by === "ann");
    if (!isKept) broken.push(`P6: request ${requestId} was confirmed as ${to}, and the record does not know`);
  }
  for (const { triggers, requests } of ofKind(all, "stopped")) {
    const isStopped = (id: string) => rows.triggers.find((row) => row.id === id)?.state === "stopped";
    const isCancelled = (id: string) => rows.requests.find((row) => row.id === id)?.state === "cancelled";
    const isKept = triggers.every(isStopped) && requests.every(isCancelled);
    if (!isKept) broken.push("P6: a confirmed stop is lost");
  }
  const statuses = eventsOf(rows.events, "desk_changed").map((event) => `${event.deskName} ${event.payload.status}`);
  const confirmed = ofKind(all, "deskStatus").map(({ desk, status }) => `${desk} ${status}`);
  if (confirmed.some((status) => !statuses.includes(status))) {
    broken.push(`P6: of ${confirmed.join(", ")} the record has ${statuses.join(", ")}`);
  }
  for (const { ruleId } of ofKind(all, "ruled")) {
    if (!rows.rules.some((rule) => rule.id === ruleId)) broken.push(`P6: the confirmed rule ${ruleId} is lost`);
  }
  return broken;
}

/** P3: one `tool_call` and one `tool_result`, and the end of the call. */
function callsWithoutOneResult({ rows }: Aftermath): string[] {
  return rows.calls.flatMap((call) => {
    const asked = eventsOf(rows.events, "tool_call").filter((event) => event.payload.callId === call.id).length;
    const results = eventsOf(rows.events, "tool_result").filter((event) => event.payload.callId === call.id).length;
    const isOver = call.status !== "recorded" && call.status !== "running" && call.endedAt !== null;
    return asked === 1 && results === 1 && isOver
      ? []
      : [`P3: call ${call.name} is ${call.status}, with ${asked} calls and ${results} results`];
  });
}

/** P2: what a tool did, it did for a call that was on disk as running, under that call's key. */
function unrecordedWork({ witness, rows }: Aftermath): string[] {
  return witness.flatMap(({ did, tool, key, callId }) => {
    const call = rows.calls.find((row) => row.id === callId);
    const isOnDisk = call?.name === tool && call.idempotencyKey === key && call.startedAt !== null;
    return isOnDisk ? [] : [`P2: ${tool} ${did} for call ${callId} without its record`];
  });
}

/** P4, P6: by the ledger and by the witness outside of the database, nothing ran twice; what succeeded, once. */
function repeatedWrites({ witness, rows }: Aftermath): string[] {
  const broken: string[] = [];
  const started = witness.filter((line) => line.did === "started");
  for (const { callId, tool } of started) {
    const times = started.filter((line) => line.callId === callId).length;
    if (times !== 1) broken.push(`P4, P6: ${tool} was started ${times} times for call ${callId}`);
  }
  for (const key of new Set(started.map((line) => line.key))) {
    const times = started.filter((line) => line.key === key).length;
    const again = rows.requests.filter((row) => row.idempotencyKey === key && row.decision === "runAgain").length;
    if (times > 1 + again) broken.push(`P4, P6: work under the key ${key} was started ${times} times`);
  }
  const works = new Map<string, Set<string>>();
  for (const call of rows.calls.filter((row) => row.effect === "write" && row.identity !== null)) {
    const work = `${call.triggerId} ${call.identity}`;
    const keys = works.get(work) ?? new Set();
    for (const line of started) if (line.callId === call.id) keys.add(line.key);
    works.set(work, keys);
  }
  for (const [work, keys] of works) {
    if (keys.size > 1) broken.push(`P6: one write of one turn was started under ${keys.size} keys (${work})`);
  }
  for (const call of rows.calls.filter((row) => row.name === "place_order")) {
    const filled = rows.orders.filter((order) => order.key === call.idempotencyKey).length;
    const worked = witness.filter((line) => line.callId === call.id && line.did === "worked").length;
    if (call.status === "succeeded" && (filled !== 1 || worked !== 1)) {
      broken.push(`P6: order ${call.id} was confirmed, and the ledger has ${filled}, the witness ${worked}`);
    }
    const ran = started.some((line) => line.callId === call.id);
    if (call.startedAt === null && ran) broken.push(`P4: the ${call.status} order ${call.id} ran`);
  }
  for (const order of rows.orders) {
    const same = rows.orders.filter((other) => other.key === order.key).length;
    if (same !== 1 || !started.some((line) => line.key === order.key)) {
      broken.push(`P6: the ledger has ${same} orders under ${order.key}, and the witness saw another number`);
    }
  }
  return broken;
}

/** P4: a held call ran only after its approval, and with the arguments that were approved. */
function unexplainedRuns({ rows, witness }: Aftermath): string[] {
  return rows.requests
    .filter((request) => request.kind === "permission")
    .flatMap((request) => {
      const carrying = rows.calls.filter((call) => call.requestId === request.id && call.startedAt !== null);
      const approvals = changesOf(request, rows.events).filter((change) => change.to === "approved").length;
      const runs = witness.filter((line) => line.did === "started" && line.key === request.idempotencyKey);
      const isExplained =
        carrying.length <= Math.min(1, approvals) &&
        carrying.every((call) => call.arguments === request.arguments && call.id === request.runCallId) &&
        runs.every((line) => isAfterApproval(line.callId, request, rows.events, rows.calls));
      return isExplained
        ? []
        : [`P4: ${requestLabel(request.number)} was approved ${approvals} times and carried out otherwise`];
    });
}

/** The run is the approved one, or one again of a call that had become uncertain. */
function isAfterApproval(
  callId: string,
  request: RequestRow,
  events: readonly DeskEvent[],
  calls: readonly CallRow[],
): boolean {
  const approved = changesOf(request, events).some((change) => change.to === "approved" && change.by !== undefined);
  return approved && calls.some((call) => call.id === callId && call.idempotencyKey === request.idempotencyKey);
}

function changesOf(request: RequestRow, events: readonly DeskEvent[]) {
  const changes = eventsOf(events, "user_request_changed").filter((event) => event.payload.requestId === request.id);
  return changes.map((event) => event.payload);
}

/** P4: each request went only through changes that may happen, to a state in which nothing is about to run. */
function requestsLeftOpen({ rows }: Aftermath): string[] {
  return rows.requests.flatMap((request) => {
    let state: RequestRow["state"] = "pending";
    const label = `${requestLabel(request.number)} (${request.kind})`;
    const same = rows.requests.filter((other) => other.number === request.number).length;
    const broken = same === 1 ? [] : [`${label} shares its label`];
    for (const { from, to } of changesOf(request, rows.events)) {
      if (from !== state || !isAllowedChange(request.kind, from, to))
        broken.push(`P4: ${label} went from ${from} to ${to}`);
      state = to;
    }
    if (state !== request.state) broken.push(`P6: ${label} is ${request.state}, its events say ${state}`);
    if (state === "approved" || state === "running") broken.push(`P4: ${label} is left ${state}`);
    return broken;
  });
}

/** Whatever was decided about a request, its desk was told in a turn of its own: once for each time that it ended. */
function untoldOutcomes({ rows }: Aftermath): string[] {
  return rows.requests.flatMap((request) => {
    const told = rows.triggers.filter(
      (row) => row.requestId === request.id && ["answer", "outcome"].includes(row.kind),
    );
    const voids = changesOf(request, rows.events).filter(
      (change) => change.from === "approved" && change.to === "pending",
    );
    const hasEnded = request.state !== "pending" && request.state !== "cancelled";
    const expected = voids.length + (hasEnded ? 1 : 0);
    return told.length === expected
      ? []
      : [
          `${requestLabel(request.number)} is ${request.state}; its desk was told ${told.length} times instead of ${expected}`,
        ];
  });
}

/** P6: at rest no trigger of an active desk waits, each was started as often as it says, and three times at most. */
function turnsNotRun({ rows }: Aftermath): string[] {
  return rows.triggers.flatMap((trigger) => {
    const starts = eventsOf(rows.events, "turn_started").filter((event) => event.payload.triggerId === trigger.id);
    const ends = eventsOf(rows.events, "turn_ended").filter((event) => event.payload.triggerId === trigger.id);
    const isActive = rows.desks.some((desk) => desk.name === trigger.deskName && desk.status === "active");
    const isOver = trigger.state !== "queued" && trigger.state !== "running";
    const isRight =
      starts.length === trigger.runs &&
      trigger.runs <= limits.turnRuns &&
      ends.length === (isOver ? 1 : 0) &&
      (isOver || (trigger.state === "queued" && !isActive));
    return isRight
      ? []
      : [
          `P6: the ${trigger.kind} is ${trigger.state}, started ${starts.length} times (says ${trigger.runs}), ended ${ends.length} times`,
        ];
  });
}

/** P6, P8: a turn that ran again was shown all that its earlier runs had an answer to, so that nothing is made twice. */
function unprimedTurns({ seen }: Aftermath): string[] {
  return seen.flatMap((reports, life) => {
    const earlier = ofKind(seen.slice(0, life).flat(), "answered");
    return ofKind(reports, "turn").flatMap((turn) => {
      const ran = earlier.filter(
        (call) => call.triggerId === turn.triggerId && ["succeeded", "failed", "uncertain"].includes(call.status),
      );
      const missing = ran.filter((call) => !turn.completed.some((done) => done.callId === call.callId));
      const held = earlier.filter((call) => call.triggerId === turn.triggerId && call.status === "held");
      const unseen = held.filter((call) => !turn.completed.some((done) => done.name === call.name && !done.isError));
      return [...missing, ...unseen].map((call) => `P8: a run of the turn was not shown ${call.name} (${call.callId})`);
    });
  });
}

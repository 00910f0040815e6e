import { afterEach, beforeEach, expect, it } from "vitest";
import type { Backend, BackendTurn } from "#lib/core/ports/backend.ts";
import type { RequestRow } from "#lib/core/record.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { auditRecord } from "#lib/db/audit/audit-record.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { openTestRecord, sha256, type TestRecord } from "#tests/support/record.ts";

/** 8 desks, each with what 50 events a second are in five seconds. */
const deskNames = ["majors", "crypto", "hedges", "metals", "bonds", "oil", "rates", "carry"];
const eventsOfDesk = 250;
const decisionsAtOnce = 5;
const holdsOfDesk = 5;
const timerMs = 5;

/** Holds some orders when it is told to, and else makes calls as fast as it is answered. */
const busy: Backend = {
  name: "busy",
  async run(turn: BackendTurn) {
    if (turn.trigger.text === "hold") {
      for (let order = 1; order <= holdsOfDesk; order += 1) {
        await turn.call({ name: "place_order", arguments: { symbol: turn.desk.name.toUpperCase(), quantity: order } });
      }
    }
    if (turn.trigger.text === "work") {
      // Each call is two events; the turn itself is four.
      for (let call = 2; call < eventsOfDesk / 2; call += 1) {
        await turn.call({ name: "get_quote", arguments: { symbol: `S${call}` } });
      }
    }
  },
};

/** A timer that counts how often it fires, and the longest time that this thread worked without letting it. */
function startTicking() {
  let fired = 0;
  let longestWorkMs = 0;
  let longestGapMs = 0;
  let last = performance.now();
  let lastWork = workedMs();
  const timer = setInterval(() => {
    fired += 1;
    const now = performance.now();
    const work = workedMs();
    longestGapMs = Math.max(longestGapMs, now - last);
    longestWorkMs = Math.max(longestWorkMs, work - lastWork);
    last = now;
    lastWork = work;
  }, timerMs);
  const from = { now: last, work: lastWork };
  return {
    stop() {
      clearInterval(timer);
      return {
        fired,
        longestWorkMs,
        longestGapMs,
        tookMs: performance.now() - from.now,
        workMs: workedMs() - from.work,
      };
    },
  };
}

/** How long this thread has worked: a machine that gives it no time is not its fault. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

let record: TestRecord;
let desk: TestDesk;
let published: DeskEvent[];

beforeEach(async () => {
  const subscribers: ((events: readonly DeskEvent[]) => void)[] = [];
  record = await openTestRecord({ publish: (events) => subscribers.forEach((subscriber) => subscriber(events)) });
  desk = await openTestDesk({ record, backends: [busy], caps: { callsPerTurn: 10_000 } });
  subscribers.push((events) => desk.bus.publish(events));
  const { backends, toolsets, caps } = await desk.desks.read(desk.name);
  for (const name of deskNames.slice(1)) {
    await desk.desks.create({ name, instructions: "", backends, toolsets, caps }, "ann");
  }
  published = [];
});

afterEach(async () => {
  await desk.remove();
});

const idle = () => Promise.all(desk.live.all().map(({ runner }) => runner.idle()));

async function sendToAll(text: string): Promise<void> {
  await Promise.all(deskNames.map((name) => desk.triggers.send(name, { text }, "ann")));
}

async function allEvents(after: number): Promise<DeskEvent[]> {
  const page = await record.store.events({ after, limit: 500 });
  return page.more ? [...page.events, ...(await allEvents(page.events.at(-1)!.position))] : page.events;
}

it(
  "P2, P5, P11: 8 desks at work and 5 decisions at once: no error, no lost event, and a timer of 5 ms keeps firing",
  { timeout: 240_000 },
  async () => {
    await sendToAll("hold");
    await idle();
    const waiting = await record.store.requests({ states: ["pending"], order: "oldest", limit: 500 });
    expect(waiting).toHaveLength(deskNames.length * holdsOfDesk);
    const [{ position: before } = { position: 0 }] = (await record.store.events({ limit: 1 })).events;
    desk.bus.subscribe((event) => void published.push(event));

    const decided: Promise<RequestRow[]>[] = [];
    const step = Math.floor((deskNames.length * eventsOfDesk) / (waiting.length / decisionsAtOnce + 1));
    desk.bus.subscribe(() => {
      if (published.length % step !== 0 || waiting.length === 0) return;
      decided.push(Promise.all(waiting.splice(0, decisionsAtOnce).map((request) => desk.approve(request))));
    });
    const ticking = startTicking();
    await sendToAll("work");
    await idle();
    const ticks = ticking.stop();
    expect(waiting, "decisions that were not made while the desks worked").toEqual([]);
    const approved = (await Promise.all(decided)).flat();
    await Promise.all(desk.live.all().map(({ executor, runner }) => executor.idle().then(() => runner.idle())));

    const events = await allEvents(before);
    const ofCalls = events.filter(({ kind }) => kind === "tool_call" || kind === "tool_result");
    expect(events.length).toBeGreaterThanOrEqual(deskNames.length * eventsOfDesk);
    expect(published).toEqual(events);
    expect(ofCalls.length % 2).toBe(0);
    expect(desk.log.lines.filter(({ level }) => level !== "info")).toEqual([]);
    expect(record.log.lines.filter(({ level }) => level !== "info")).toEqual([]);
    expect(desk.witness.orders.map(({ key }) => key).toSorted()).toEqual(approved.map(({ id }) => id).toSorted());
    expect((await auditRecord({ dataDir: record.dataDir, digest: sha256 })).findings).toEqual([]);

    const words = `the timer beside ${published.length} events: ${JSON.stringify(ticks)}`;
    expect(ticks.fired, words).toBeGreaterThan((0.05 * ticks.workMs) / timerMs);
    expect(ticks.longestWorkMs, words).toBeLessThan(500);
    if (process.env["SHOW_FIGURES"]) process.stdout.write(`${words}\n`);
  },
);

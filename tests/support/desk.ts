import type { CoreDeps } from "#lib/core/deps.ts";
import { DeskTriggers } from "#lib/core/desk-triggers.ts";
import { Desks } from "#lib/core/desks.ts";
import { EventBus } from "#lib/core/event-bus.ts";
import { LiveDesks } from "#lib/core/live-desks.ts";
import { ModelRouter } from "#lib/core/model-router.ts";
import type { Backend } from "#lib/core/ports/backend.ts";
import type { Clock } from "#lib/core/ports/clock.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { RequestRow } from "#lib/core/record.ts";
import { recoverRecord, resumeApproved } from "#lib/core/recovery.ts";
import type { Tool } from "#lib/core/tool.ts";
import type { ToolCallExecutor } from "#lib/core/tool-call-executor.ts";
import type { TurnRunner } from "#lib/core/turn-runner.ts";
import { UserRequests } from "#lib/core/user-requests.ts";
import { recordIds } from "#lib/server/record-ids.ts";
import { askUserToolset } from "#lib/tools/ask-user.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import type { Caps } from "#lib/protocol/caps.ts";
import { keptLog, openTestRecord, realClock, sha256, type TestRecord } from "./record.ts";
import { ScriptedBackend } from "./scripted-backend.ts";
import { testTools } from "./test-tools.ts";

export interface TestDeskOptions {
  clock?: Clock;
  tools?: Tool[];
  backends?: Backend[];
  caps?: Partial<Caps>;
  deskName?: string;
  record?: TestRecord;
  store?: (store: Store) => Store;
}

/** One desk on a real record, with tools that witness what they did. */
export async function openTestDesk(options: TestDeskOptions = {}) {
  const clock = options.clock ?? realClock;
  const log = keptLog();
  const bus = new EventBus(log);
  const record = options.record ?? (await openTestRecord({ clock, publish: (events) => bus.publish(events) }));
  const store = options.store?.(record.store) ?? record.store;
  const deps: CoreDeps = {
    store,
    clock,
    ids: recordIds(clock, await record.store.highestRequestNumber()),
    digest: sha256,
    log,
    waits: { holdMs: 15 * 60_000, questionMs: 24 * 60 * 60_000 },
  };
  const standard = testTools();
  const toolset = { name: "test", tools: options.tools ?? standard.tools };
  const backend = new ScriptedBackend("scripted");
  const backends = new Map((options.backends ?? [backend]).map((one) => [one.name, one]));
  const router = new ModelRouter(backends, deps);
  const live = new LiveDesks(
    new Map([
      ["test", toolset],
      ["ask_user", askUserToolset],
    ]),
    router,
    bus,
    deps,
  );
  const desks = new Desks(live, () => [...backends.keys()], deps);
  const triggers = new DeskTriggers(deps);
  const requests = new UserRequests((name) => live.find(name)?.executor, deps);
  const name = options.deskName ?? "majors";
  for (const desk of await store.desks()) live.open(desk);
  const recover = async () => {
    const recovered = await recoverRecord(live, deps);
    await requests.expireDue();
    await resumeApproved(live, deps);
    for (const { runner } of live.all()) runner.wake();
    return recovered;
  };
  if (!(await store.desk(name))) {
    await desks.create(
      {
        name,
        instructions: "",
        backends: [...backends.keys()],
        toolsets: ["test", "ask_user"],
        caps: options.caps ?? {},
      },
      "ann",
    );
  }
  const desk = live.find(name) as { executor: ToolCallExecutor; runner: TurnRunner };
  return {
    name,
    record,
    store,
    clock,
    log,
    bus,
    deps,
    live,
    desks,
    triggers,
    requests,
    router,
    backend,
    witness: standard.witness,
    script: standard.script,
    executor: desk.executor,
    runner: desk.runner,
    recover,
    /** Sends a message and waits until the desk has nothing more to run. */
    async turn(text = "go"): Promise<string> {
      const triggerId = await triggers.send(name, { text }, "ann");
      await desk.runner.idle();
      return triggerId;
    },
    /** What waits, oldest first. */
    pending: (): Promise<RequestRow[]> =>
      store.requests({ deskName: name, states: ["pending"], order: "oldest", limit: 500 }),
    /** Approves with the digest that is shown. */
    async approve(request: RequestRow, by = "ann"): Promise<RequestRow> {
      const shown = await requests.read(request.id);
      return requests.decide(request.id, { decision: "approve", digest: requests.digestOf(shown) }, by);
    },
    deny: (request: RequestRow, note = "", by = "ann") =>
      requests.decide(request.id, { decision: "deny", digest: "any", note }, by),
    /** All events, oldest first. */
    events: async () => (await store.events({ after: 0, limit: 500 })).events,
    /** Calls of the record, oldest first. */
    calls: () => store.calls({ deskName: name, order: "oldest", limit: 500 }),
    /** Waits for an event that satisfies the test; those that were published already count too. */
    async until(test: (event: DeskEvent) => boolean): Promise<void> {
      const seen = Promise.withResolvers<void>();
      const end = bus.subscribe((event) => {
        if (test(event)) seen.resolve();
      });
      const { events } = await store.events({ after: 0, limit: 500 });
      if (events.some(test)) seen.resolve();
      await seen.promise;
      end();
    },
    async remove(): Promise<void> {
      await live.close();
      await record.remove();
    },
  };
}
export type TestDesk = Awaited<ReturnType<typeof openTestDesk>>;

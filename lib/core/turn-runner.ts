import { limits } from "#lib/protocol/limits.ts";
import { capUnit } from "./caps.ts";
import type { CoreDeps } from "./deps.ts";
import type { EventBus } from "./event-bus.ts";
import type { ModelRouter, TurnOutcome } from "./model-router.ts";
import { isoNow } from "./ports/clock.ts";
import type { DeskRow, TriggerRow } from "./record.ts";
import type { ToolCallExecutor } from "./tool-call-executor.ts";

/**
 * Runs the turns of one desk, one at a time: people's messages, answers and outcomes before schedules, then the older
 * first, while the desk is active.
 */
export class TurnRunner {
  readonly #deskName: string;
  readonly #executor: ToolCallExecutor;
  readonly #router: ModelRouter;
  readonly #deps: CoreDeps;
  readonly #unsubscribe: (() => void)[];
  #current: { triggerId: string; abort: AbortController } | null = null;
  #loop: Promise<void> | null = null;
  #woken = false;
  #closing = false;

  constructor(deskName: string, executor: ToolCallExecutor, router: ModelRouter, bus: EventBus, deps: CoreDeps) {
    this.#deskName = deskName;
    this.#executor = executor;
    this.#router = router;
    this.#deps = deps;
    const wake = (event: { deskName: string }) => {
      if (event.deskName === deskName) this.wake();
    };
    this.#unsubscribe = [bus.on("trigger_queued", wake), bus.on("desk_changed", wake)];
  }

  /** Looks for a trigger that may run. Cheap where there is none. */
  wake(): void {
    this.#woken = true;
    if (this.#loop || this.#closing) return;
    this.#loop = this.#run()
      .catch((error: unknown) => {
        if (!this.#closing) this.#executor.halt("one of its turns could not be recorded", error);
      })
      .finally(() => {
        this.#loop = null;
        if (this.#woken && !this.#closing && this.#executor.halted === null) this.wake();
      });
  }

  /** Aborts the running turn, if it is this one, after its stop was committed. */
  abort(triggerId: string): void {
    if (this.#current?.triggerId === triggerId) this.#current.abort.abort();
  }

  /** Resolves when nothing runs and nothing that may run waits. */
  async idle(): Promise<void> {
    while (this.#loop) await this.#loop;
  }

  /**
   * Ends for a shutdown: the backend is aborted, a tool that runs is waited for, and the turn is left to the recovery of
   * the next start.
   */
  async close(): Promise<void> {
    this.#closing = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    const current = this.#current;
    current?.abort.abort();
    if (current) await this.#executor.drained(current.triggerId);
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#woken && !this.#closing) {
      this.#woken = false;
      for (;;) {
        const trigger = await this.#next();
        if (!trigger || this.#closing) break;
        await this.#turn(trigger);
      }
    }
  }

  async #next(): Promise<TriggerRow | null> {
    if (this.#executor.halted !== null) return null;
    const desk = await this.#deps.store.desk(this.#deskName);
    if (desk?.status !== "active") return null;
    const [next] = await this.#deps.store.triggers({
      deskName: this.#deskName,
      states: ["queued"],
      order: "next",
      limit: 1,
    });
    return next ?? null;
  }

  async #turn(queued: TriggerRow): Promise<void> {
    const { store, clock } = this.#deps;
    const run = queued.runs + 1;
    const startedAt = isoNow(clock);
    const started = await store.commit({
      name: "turnStart",
      when: [
        { that: "desk", name: this.#deskName, status: ["active"] },
        { that: "trigger", id: queued.id, state: ["queued"], notStopped: true },
      ],
      changes: [{ update: "trigger", key: queued.id, set: { state: "running", runs: run, startedAt } }],
      events: [
        {
          deskName: this.#deskName,
          kind: "turn_started",
          triggerId: queued.id,
          payload: { triggerId: queued.id, run, attempt: queued.attempt + 1 },
        },
      ],
    });
    if (!started.committed) return this.wake();
    const desk = await store.desk(this.#deskName);
    if (!desk) return;
    const abort = new AbortController();
    this.#current = { triggerId: queued.id, abort };
    this.#executor.startTurn({ triggerId: queued.id });
    if (queued.runs > 0) await this.#prime(queued);
    let overtime = false;
    const cancelOvertime = clock.after(desk.caps.minutesPerTurn * 60_000, () => {
      overtime = true;
      abort.abort();
    });
    try {
      const turn = {
        desk,
        trigger: { ...queued, state: "running", runs: run } as const,
        executor: this.#executor,
        signal: abort.signal,
      };
      const outcome = await this.#router.run(turn);
      await this.#end(queued, outcome, overtime ? desk : null);
    } finally {
      cancelOvertime();
      // What the turn started ends before the next one begins, also where it was stopped.
      await this.#executor.drained(queued.id);
      this.#current = null;
      this.#executor.endTurn(queued.id);
    }
  }

  async #prime(trigger: TriggerRow): Promise<void> {
    const calls = [];
    for (const row of await this.#deps.store.calls({ triggerId: trigger.id, order: "oldest", limit: 10_000 }))
      calls.push(row);
    await this.#executor.prime(trigger.id, calls);
  }

  async #end(trigger: TriggerRow, outcome: TurnOutcome, overtime: DeskRow | null): Promise<void> {
    if (outcome.state === "aborted" && !overtime) return;
    const minutes = overtime?.caps.minutesPerTurn ?? 0;
    const failure =
      outcome.state === "failed" ? outcome.reason : `the turn took longer than its cap of ${minutes} minutes`;
    const state = outcome.state === "done" ? "done" : "failed";
    const endedAt = isoNow(this.#deps.clock);
    const result = await this.#deps.store.commit({
      name: "turnEnd",
      when: [{ that: "trigger", id: trigger.id, state: ["running"] }],
      changes: [
        {
          update: "trigger",
          key: trigger.id,
          set: { state, attemptOpen: false, endedAt, endReason: state === "failed" ? failure : null },
        },
      ],
      events: [
        ...(state === "failed"
          ? [
              {
                deskName: this.#deskName,
                kind: "message" as const,
                triggerId: trigger.id,
                payload: { from: "deskboard" as const, name: "Deskboard", text: `This turn failed: ${failure}.` },
              },
            ]
          : []),
        {
          deskName: this.#deskName,
          kind: "turn_ended",
          triggerId: trigger.id,
          payload: { triggerId: trigger.id, state, ...(state === "failed" && { reason: failure }) },
        },
      ],
    });
    if (result.committed && overtime) {
      await capUnit(this.#deps, this.#deskName, { cap: "minutesPerTurn", limit: minutes, triggerId: trigger.id });
    }
  }
}

/** Whether a trigger that a restart interrupted may be run once more. */
export function mayRunAgain(trigger: Pick<TriggerRow, "runs">): boolean {
  return trigger.runs < limits.turnRuns;
}

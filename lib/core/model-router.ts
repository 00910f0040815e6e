import { limits } from "#lib/protocol/limits.ts";
import { AppError, isAppError } from "./app-error.ts";
import { parseObject, cutText } from "./canonical.ts";
import { capUnit } from "./caps.ts";
import type { CoreDeps } from "./deps.ts";
import { BackendFailure, type Backend, type BackendTurn, type PendingRequest } from "./ports/backend.ts";
import type { DeskRow, TriggerRow } from "./record.ts";
import type { ToolCallExecutor } from "./tool-call-executor.ts";
import type { TurnHandle } from "./turn-memory.ts";
import { requestLabel } from "./user-requests-table.ts";

/** How long a backend that failed is left alone, in milliseconds: where it does not say, and at most. */
export const coolDownMs = { standard: 30_000, most: 15 * 60_000 } as const;

/** A turn that is to be routed. */
export interface RoutedTurn {
  desk: DeskRow;
  trigger: TriggerRow;
  executor: ToolCallExecutor;
  /** Aborted by a stop, by the turn's cap of minutes, and by a shutdown. */
  signal: AbortSignal;
}

export type TurnOutcome = { state: "done" } | { state: "failed"; reason: string } | { state: "aborted" };

type AttemptEnd = { end: "done" } | { end: "aborted" } | { end: "failed"; failure: BackendFailure };

/** Tries a desk's backends in order, and hands the next one what was completed (P8). */
export class ModelRouter {
  readonly #backends: ReadonlyMap<string, Backend>;
  readonly #deps: CoreDeps;
  readonly #coolUntil = new Map<string, number>();

  constructor(backends: ReadonlyMap<string, Backend>, deps: CoreDeps) {
    this.#backends = backends;
    this.#deps = deps;
  }

  /** Until when a backend is left alone, in milliseconds since 1970; 0 where it is not. */
  coolUntil(name: string): number {
    return this.#coolUntil.get(name) ?? 0;
  }

  /** Runs a turn to its end. @throws where the record cannot be written. */
  async run(turn: RoutedTurn): Promise<TurnOutcome> {
    const order = this.#order(turn.desk.backends);
    const failures: string[] = [];
    let attempt = turn.trigger.attempt;
    for (const [index, name] of order.entries()) {
      attempt += 1;
      if (!(await this.#openAttempt(turn, attempt, name))) return { state: "aborted" };
      const handle: TurnHandle = { triggerId: turn.trigger.id, attempt, backend: name, signal: turn.signal };
      const abort = new AbortController();
      const end = await this.#attempt(turn, handle, abort);
      if (end.end === "done") {
        await turn.executor.drained(turn.trigger.id);
        abort.abort();
        return { state: "done" };
      }
      if (end.end === "aborted") return { state: "aborted" };
      failures.push(`${name}: ${end.failure.kind}, ${end.failure.message}`);
      const next = order[index + 1] ?? null;
      if (!(await this.#handOver(turn, handle, { abort, failure: end.failure, next }))) return { state: "aborted" };
    }
    const reason =
      order.length === 0 ? "the desk has no backend" : `no backend could do this turn (${failures.join("; ")})`;
    return { state: "failed", reason: cutText(reason, 2000) };
  }

  /** Those that are not cooling down, in the desk's order; all of them where every one is. */
  #order(names: readonly string[]): string[] {
    const now = this.#deps.clock.now();
    const ready = names.filter((name) => this.coolUntil(name) <= now);
    return ready.length > 0 ? ready : [...names];
  }

  async #openAttempt(turn: RoutedTurn, attempt: number, backend: string): Promise<boolean> {
    if (turn.signal.aborted) return false;
    const result = await this.#deps.store.commit({
      name: "attemptStart",
      when: [{ that: "trigger", id: turn.trigger.id, state: ["running"], notStopped: true }],
      changes: [{ update: "trigger", key: turn.trigger.id, set: { attempt, attemptOpen: true, backend } }],
      events: [],
    });
    return result.committed;
  }

  async #attempt(turn: RoutedTurn, handle: TurnHandle, abort: AbortController): Promise<AttemptEnd> {
    const backend = this.#backends.get(handle.backend);
    if (!backend) {
      const failure = new BackendFailure("unreachable", `there is no backend ${handle.backend} in the settings`);
      return { end: "failed", failure };
    }
    const aborted = Promise.withResolvers<AttemptEnd>();
    const onAbort = () => {
      abort.abort();
      aborted.resolve({ end: "aborted" });
    };
    turn.signal.addEventListener("abort", onAbort, { once: true });
    if (turn.signal.aborted) onAbort();
    const { haltSignal } = turn.executor;
    const halted = Promise.withResolvers<never>();
    const onHalt = () => {
      abort.abort();
      halted.reject(new AppError("record_unavailable", `desk ${turn.desk.name}: ${turn.executor.halted ?? ""}`));
    };
    haltSignal.addEventListener("abort", onHalt, { once: true });
    try {
      const backendTurn = await this.#backendTurn(turn, handle, abort.signal);
      const run = (async () => backend.run(backendTurn))();
      return await Promise.race([
        run.then(
          (): AttemptEnd => ({ end: "done" }),
          (error: unknown): AttemptEnd => ({ end: "failed", failure: asFailure(error, turn.executor) }),
        ),
        aborted.promise,
        halted.promise,
      ]);
    } finally {
      haltSignal.removeEventListener("abort", onHalt);
      turn.signal.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Closes a failed attempt, so that its later calls are refused, aborts it, and waits for each call that it started,
   * before the next backend begins. False where the turn was stopped meanwhile.
   */
  async #handOver(
    turn: RoutedTurn,
    handle: TurnHandle,
    failed: { abort: AbortController; failure: BackendFailure; next: string | null },
  ): Promise<boolean> {
    const { store, clock } = this.#deps;
    const { abort, failure, next } = failed;
    const closed = await store.commit({
      name: "attemptEnd",
      when: [{ that: "attemptOpen", triggerId: handle.triggerId, attempt: handle.attempt }],
      changes: [{ update: "trigger", key: handle.triggerId, set: { attemptOpen: false } }],
      events: [],
    });
    abort.abort();
    await turn.executor.drained(handle.triggerId);
    if (!closed.committed) return false;
    const asked = failure.retryAfterMs ?? Number.NaN;
    const waitMs = Number.isNaN(asked) ? coolDownMs.standard : Math.min(Math.max(asked, 0), coolDownMs.most);
    this.#coolUntil.set(handle.backend, clock.now() + waitMs);
    await store.commit({
      name: "backendFailed",
      when: [],
      changes: [],
      events: [
        {
          deskName: turn.desk.name,
          kind: "backend_failed",
          triggerId: handle.triggerId,
          payload: {
            triggerId: handle.triggerId,
            attempt: handle.attempt,
            backend: handle.backend,
            kind: failure.kind,
            message: cutText(failure.message, 2000),
            completed: turn.executor.completedCalls(handle.triggerId).map(({ callId, name }) => ({ callId, name })),
            next,
          },
        },
      ],
    });
    return true;
  }

  async #backendTurn(turn: RoutedTurn, handle: TurnHandle, signal: AbortSignal): Promise<BackendTurn> {
    const { desk, trigger, executor } = turn;
    const waiting = await this.#deps.store.requests({
      deskName: desk.name,
      states: ["pending"],
      order: "oldest",
      limit: limits.pageRows,
    });
    return {
      desk: { name: desk.name, instructions: desk.instructions },
      trigger: {
        id: trigger.id,
        kind: trigger.kind,
        from: trigger.from,
        text: trigger.text,
        data: trigger.data,
        requestId: trigger.requestId,
      },
      attempt: handle.attempt,
      tools: executor.registry.listing(),
      completedCalls: executor.completedCalls(trigger.id),
      pendingRequests: waiting.map((request): PendingRequest => ({
        id: request.id,
        label: requestLabel(request.number),
        kind: request.kind,
        tool: request.tool,
        arguments: parseObject(request.arguments),
      })),
      signal,
      call: (ask) => executor.execute(handle, ask),
      say: (text) => this.#say(desk.name, handle, text),
      countModelRequest: () => this.#countModelRequest(turn, handle),
    };
  }

  async #say(deskName: string, handle: TurnHandle, text: string): Promise<void> {
    if (text.trim() === "") return;
    await this.#deps.store.commit({
      name: "message",
      when: [{ that: "attemptOpen", triggerId: handle.triggerId, attempt: handle.attempt }],
      changes: [],
      events: [
        {
          deskName,
          kind: "message",
          triggerId: handle.triggerId,
          payload: { from: "desk", name: deskName, text: cutText(text, limits.resultCharacters) },
        },
      ],
    });
  }

  async #countModelRequest(turn: RoutedTurn, handle: TurnHandle): Promise<boolean> {
    const limit = turn.desk.caps.modelRequestsPerTurn;
    const count = turn.executor.countModelRequest(handle.triggerId);
    if (count === limit + 1) {
      await capUnit(this.#deps, turn.desk.name, { cap: "modelRequestsPerTurn", limit, triggerId: handle.triggerId });
    }
    return count <= limit;
  }
}

function asFailure(error: unknown, executor: ToolCallExecutor): BackendFailure {
  // Where the record cannot be written no other backend can do better.
  if (executor.halted !== null || (isAppError(error) && error.code === "record_unavailable")) throw error;
  if (error instanceof BackendFailure) return error;
  return new BackendFailure("broken_reply", error instanceof Error ? error.message : String(error), { cause: error });
}

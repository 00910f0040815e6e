import { Mutex } from "async-mutex";
import { AppError } from "./app-error.ts";
import {
  approvedRunUnit,
  carryingCall,
  checkRun,
  failedStart,
  tooLate,
  voidUnit,
  type RunCheck,
} from "./approved-runs.ts";
import type { CoreDeps } from "./deps.ts";
import type { EventBus } from "./event-bus.ts";
import { answerOf, rememberedCall } from "./call-answers.ts";
import { IncomingCalls, type RunningCall } from "./incoming-calls.ts";
import type { LoopGuard } from "./loop-guard.ts";
import type { PermissionGate } from "./permission-gate.ts";
import type { CallAnswer, CallAsk, CompletedCall } from "./ports/backend.ts";
import type { Unit } from "./ports/unit.ts";
import type { CallRow, RequestRow } from "./record.ts";
import { presentText } from "./request-texts.ts";
import { resultUnit, settlementUnit } from "./result-units.ts";
import { toolDigest, type ToolRegistry } from "./tool-registry.ts";
import { primeTurn } from "./turn-priming.ts";
import { ToolRunner } from "./tool-runner.ts";
import type { Tool, ToolResult } from "./tool.ts";
import { TurnMemory, type RememberedCall, type TurnHandle } from "./turn-memory.ts";

/**
 * The one way to a tool, for one desk (P1): each call is recorded, checked by the loop guard and the permission gate, run
 * by the registry, remembered, and its result recorded, and every step is published.
 */
export class ToolCallExecutor {
  readonly deskName: string;
  readonly registry: ToolRegistry;
  readonly #guard: LoopGuard;
  readonly #gate: PermissionGate | null;
  readonly #deps: CoreDeps;
  readonly #memory = new TurnMemory();
  readonly #runner: ToolRunner;
  readonly #incoming: IncomingCalls;
  /** Steps 0 to 4 of the desk's calls. Pause and stop never take it. */
  readonly #lock = new Mutex();
  /** The desk's approved calls, one by one in the order of the decisions. */
  readonly #approved = new Mutex();
  readonly #halting = new AbortController();
  #halted: string | null = null;

  constructor(
    deskName: string,
    toolRegistry: ToolRegistry,
    eventBus: EventBus,
    loopGuard: LoopGuard,
    permissionGate: PermissionGate | null,
    deps: CoreDeps,
  ) {
    this.deskName = deskName;
    this.registry = toolRegistry;
    this.#guard = loopGuard;
    this.#gate = permissionGate;
    this.#deps = deps;
    this.#runner = new ToolRunner(deskName, toolRegistry, deps.clock, deps.log);
    this.#incoming = new IncomingCalls({
      deskName,
      registry: toolRegistry,
      guard: loopGuard,
      gate: permissionGate,
      memory: this.#memory,
      deps,
    });
    eventBus.on("user_request_changed", (event) => {
      if (event.deskName === deskName) this.#follow(event.payload.requestId);
    });
  }

  /** Why the desk takes no more calls: a result could not be recorded. Null while it does. */
  get halted(): string | null {
    return this.#halted;
  }

  /** Aborted when something could not be recorded: whatever runs of the desk ends. Not by `close`. */
  get haltSignal(): AbortSignal {
    return this.#halting.signal;
  }

  /** Opens a turn: the guard and the memory count for it from now on, through all of its attempts. */
  startTurn(turn: { triggerId: string }): void {
    this.#memory.of(turn.triggerId).open = true;
    this.#guard.startTurn(turn.triggerId);
  }

  /** Ends a turn. It is remembered as long as memory allows. */
  endTurn(triggerId: string): void {
    this.#guard.endTurn(triggerId);
    for (const forgotten of this.#memory.end(triggerId)) this.#guard.endTurn(forgotten);
  }

  /**
   * Takes one call its whole way and gives what became of it. What a tool, a model or a person does is a result.
   * @throws AppError `record_unavailable` where the call could not be recorded, and then nothing started; or where its
   * result could not be recorded, and then the desk takes no more calls.
   */
  async execute(trigger: TurnHandle, call: CallAsk): Promise<CallAnswer> {
    if (this.#halted !== null) throw this.#unavailable();
    const run = this.#execute(trigger, call);
    const { inFlight } = this.#memory.of(trigger.triggerId);
    inFlight.add(run);
    try {
      return await run;
    } finally {
      inFlight.delete(run);
    }
  }

  /** What ran, or was held, in a turn: oldest first; empty where nothing did, or where it is too old. */
  completedCalls(triggerId: string): CompletedCall[] {
    return (this.#memory.find(triggerId)?.completed ?? []).map(
      ({ callId, name, arguments: args, resultText, isError }) => ({
        callId,
        name,
        arguments: args,
        resultText,
        isError,
      }),
    );
  }

  /** Counts a request to a model. @returns how many the turn has made, this one included. */
  countModelRequest(triggerId: string): number {
    const turn = this.#memory.of(triggerId);
    turn.modelRequests += 1;
    return turn.modelRequests;
  }

  /** Resolves when each call that the turn has asked for has its answer. */
  async drained(triggerId: string): Promise<void> {
    const turn = this.#memory.of(triggerId);
    while (turn.inFlight.size > 0) await Promise.allSettled([...turn.inFlight]);
  }

  /** Takes no more calls, since something of the desk could not be recorded. A restart recovers it. */
  halt(reason: string, error: unknown): void {
    this.#halted ??= reason;
    this.#halting.abort();
    this.#deps.log.error({ err: error, desk: this.deskName }, `the desk takes no more calls: ${reason}`);
  }

  /** Takes no more calls, for a shutdown; those that run are recorded to their end. */
  close(): void {
    this.#halted ??= "the server is stopping";
  }

  /** Resolves when no tool of the desk runs any more. */
  async idle(): Promise<void> {
    await this.#runner.idle();
  }

  /** Primes guard and memory of a turn that a restart interrupted, with the calls that the record has of it. */
  async prime(triggerId: string, calls: readonly CallRow[]): Promise<void> {
    this.startTurn({ triggerId });
    const turn = this.#memory.of(triggerId);
    await primeTurn(turn, this.#guard, calls, this.#deps.store);
    for (const requestId of turn.held.values()) this.#follow(requestId);
  }

  /** Whether a call may run with a person's approval, by all that is known now. */
  async check(call: { tool: string; toolDigest: string | null; arguments: string }): Promise<RunCheck> {
    return checkRun({ deskName: this.deskName, registry: this.registry, gate: this.#gate, deps: this.#deps }, call);
  }

  /** Runs an approved request, behind those that were approved before it. What may not run is made void. */
  async runApproved(requestId: string): Promise<void> {
    await this.#approved.runExclusive(async () => {
      while (this.#halted === null) {
        const request = await this.#deps.store.request(requestId);
        if (request?.state !== "approved") return;
        const check = await this.check(request);
        if (!check.ok) return this.#void(request, check.reason);
        const call = carryingCall(request, check, this.#deps);
        const result = await this.#deps.store.commit(approvedRunUnit(request, call, check.policyVersion));
        if (result.committed) return this.#carryOut(call, check.tool, check.args, { ...request, state: "running" });
        const start = failedStart(result);
        if (start === "gone") return;
        if (start !== "again") return this.#void(request, start.void);
      }
    });
  }

  /** Makes an approval void whose time to start has passed. */
  async voidOverdue(request: RequestRow): Promise<void> {
    await this.#void(request, tooLate);
  }

  /**
   * Runs an uncertain call again under the same key. `unit` resolves the request and records the new call; where it is
   * committed, the run goes on in the background.
   */
  async runAgain(
    request: RequestRow,
    check: Extract<RunCheck, { ok: true }>,
    unit: (call: CallRow) => Unit,
  ): Promise<ReturnType<CoreDeps["store"]["commit"]>> {
    if (this.#halted !== null) throw this.#unavailable();
    const call = carryingCall(request, check, this.#deps);
    const result = await this.#deps.store.commit(unit(call));
    if (result.committed) this.#background(this.#carryOut(call, check.tool, check.args, request));
    return result;
  }

  async #execute(turn: TurnHandle, ask: CallAsk): Promise<CallAnswer> {
    const callId = this.#deps.ids.next();
    const prepared = await this.#lock.runExclusive(() => this.#incoming.prepare(turn, ask, callId));
    if (!("run" in prepared)) {
      if (prepared.remember) this.#remember(turn.triggerId, prepared.remember);
      return prepared.answer;
    }
    const { run } = prepared;
    const ended = await this.#runAndRecord(run.row, run.tool, run.args, null, turn.signal);
    this.#guard.observe(run.guarded, { text: ended.resultText ?? "", outcome: ended.outcome ?? "unknown" });
    this.#remember(turn.triggerId, rememberedCall(ended, null));
    return answerOf(ended);
  }

  async #carryOut(call: CallRow, tool: Tool, args: RunningCall["args"], request: RequestRow): Promise<void> {
    await this.#runAndRecord(call, tool, args, request, undefined);
  }

  async #runAndRecord(
    row: CallRow,
    tool: Tool,
    args: RunningCall["args"],
    request: RequestRow | null,
    stopped: AbortSignal | undefined,
  ): Promise<CallRow> {
    const recorded = Promise.withResolvers<RequestRow | null>();
    const result = await this.#runner.run({
      tool,
      args,
      triggerId: row.triggerId,
      callId: row.id,
      idempotencyKey: row.idempotencyKey,
      stopped,
      onLate: (late) => this.#background(recorded.promise.then((uncertain) => this.#settle(uncertain, late))),
    });
    const end = resultUnit({ row, result, request, toolDigest: toolDigest(tool, this.#deps.digest) }, this.#deps);
    try {
      const committed = await this.#deps.store.commit(end.unit);
      if (!committed.committed) throw new Error(`the result of call ${row.id} was refused by the record`);
    } catch (error) {
      recorded.resolve(null);
      this.halt(`the result of ${row.name} (call ${row.id}) could not be recorded`, error);
      throw this.#unavailable();
    }
    recorded.resolve(end.uncertain);
    return end.row;
  }

  /** A result that came late settles the uncertain request that its call had become. */
  async #settle(uncertain: RequestRow | null, late: ToolResult): Promise<void> {
    if (uncertain) await this.#deps.store.commit(settlementUnit(uncertain, late, this.#deps));
  }

  async #void(request: RequestRow, reason: string): Promise<void> {
    const tool = this.registry.find(request.tool);
    const digest = tool ? toolDigest(tool, this.#deps.digest) : null;
    await this.#deps.store.commit(voidUnit(request, reason, digest, this.#deps));
  }

  #remember(triggerId: string, call: RememberedCall): void {
    this.#memory.remember(triggerId, call);
    // What became of its request in the same moment was published before it could be followed.
    if (call.requestId !== null) this.#follow(call.requestId, call.callId);
  }

  /** A held call's present outcome is what the completed calls show. `fresh` keeps its text as long as nothing became of it. */
  #follow(requestId: string, fresh?: string): void {
    const calls = this.#memory.heldFor(requestId);
    if (calls.length === 0) return;
    this.#background(
      this.#deps.store.request(requestId).then((request) => {
        if (!request || (request.state === "pending" && request.callId === fresh)) return;
        for (const call of calls) call.resultText = presentText(request);
      }),
    );
  }

  #background(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      this.#deps.log.error({ err: error, desk: this.deskName }, "work in the background failed"),
    );
  }

  #unavailable(): AppError {
    const why = this.#halted ?? "the record cannot be written";
    return new AppError(
      "record_unavailable",
      `Desk ${this.deskName} takes no more calls: ${why}. Restart when the record can be written.`,
    );
  }
}

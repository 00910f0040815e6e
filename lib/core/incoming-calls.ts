import type { JsonObject } from "#lib/protocol/json.ts";
import type { AnsweredCall, AskedCall } from "./call-endings.ts";
import { CallEndings } from "./call-endings.ts";
import { callIdentity } from "./call-identity.ts";
import { callEvent, newCall } from "./call-units.ts";
import { cutText, shortValue } from "./canonical.ts";
import type { CoreDeps } from "./deps.ts";
import { earlierAttempts, factsOf, uncertainLabels } from "./gate-question.ts";
import type { GuardedCall, LoopGuard } from "./loop-guard.ts";
import type { GateDecision, PermissionGate } from "./permission-gate.ts";
import { judge } from "./policy.ts";
import type { CallAsk } from "./ports/backend.ts";
import { isoNow } from "./ports/clock.ts";
import type { Condition } from "./ports/unit.ts";
import { argumentsText, issuesText, readArguments } from "./read-arguments.ts";
import type { CallRow } from "./record.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import type { Tool } from "./tool.ts";
import type { TurnHandle, TurnMemory } from "./turn-memory.ts";
import { WaitingCalls, type ValidCall } from "./waiting-calls.ts";

/** A call that is recorded as running; its tool may start. */
export interface RunningCall {
  row: CallRow;
  tool: Tool;
  args: JsonObject;
  guarded: GuardedCall;
}

/** What steps 0 to 4 came to: an answer, or a run. */
export type Prepared = AnsweredCall | { run: RunningCall };

interface Parts {
  deskName: string;
  registry: ToolRegistry;
  guard: LoopGuard;
  gate: PermissionGate | null;
  memory: TurnMemory;
  deps: CoreDeps;
}

/** How often a call is judged anew because the rules, or a request, changed while it was. */
const judgements = 8;

/** Steps 0 to 4 of a call: what leads to one commit. The executor runs them one at a time for its desk. */
export class IncomingCalls {
  readonly #parts: Parts;
  readonly #endings: CallEndings;
  readonly #waiting: WaitingCalls;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#endings = new CallEndings(parts.deskName, parts.memory, parts.deps);
    this.#waiting = new WaitingCalls(parts.deskName, parts.memory, this.#endings, parts.deps);
  }

  /** @throws where the call cannot be recorded; then nothing has started. */
  async prepare(turn: TurnHandle, ask: CallAsk, callId: string): Promise<Prepared> {
    const { deskName, registry, memory, deps } = this.#parts;
    const turnRecord = memory.of(turn.triggerId);
    turnRecord.asked += 1;
    const name = typeof ask.name === "string" ? cutText(ask.name, 200) : shortValue(ask.name);
    const row = newCall({
      id: callId,
      deskName,
      triggerId: turn.triggerId,
      attempt: turn.attempt,
      backend: turn.backend,
      name,
      argumentsGiven: argumentsText(ask.arguments),
      recordedAt: isoNow(deps.clock),
    });
    const asked: AskedCall = { turn, given: ask.arguments, row };
    const desk = await deps.store.desk(deskName);
    if (desk && turnRecord.asked > desk.caps.callsPerTurn) {
      return this.#endings.atCap(asked, "callsPerTurn", desk.caps.callsPerTurn, turnRecord.asked);
    }
    const tool = registry.find(name);
    if (!tool) {
      const known = registry.names().join(", ");
      return this.#endings.refuse(asked, `There is no tool ${shortValue(name)}. The tools of this desk: ${known}.`);
    }
    row.effect = tool.effect;
    const read = readArguments(tool, ask.arguments);
    if (!read.ok) return this.#endings.refuse(asked, issuesText(tool.name, read.issues));
    const identity = callIdentity(deskName, tool, read.value, deps.digest);
    Object.assign(row, { arguments: read.canonical, identity });
    return this.#guarded({ ...asked, tool, args: read.value, identity });
  }

  async #guarded(call: ValidCall): Promise<Prepared> {
    const { guard } = this.#parts;
    const repeated = await this.#waiting.repeat(call);
    if (repeated) return repeated;
    const guarded: GuardedCall = {
      triggerId: call.turn.triggerId,
      callId: call.row.id,
      name: call.tool.name,
      effect: call.tool.effect,
      key: call.identity,
    };
    if (!guard.allows(guarded)) return this.#endings.refuse(call, guard.refusalText(guarded));
    try {
      const prepared = await this.#throughGate(call, guarded);
      if (!("run" in prepared)) guard.forget(guarded);
      return prepared;
    } catch (error) {
      guard.forget(guarded);
      throw error;
    }
  }

  async #throughGate(call: ValidCall, guarded: GuardedCall): Promise<Prepared> {
    const { row, tool, args } = call;
    const facts = await factsOf(tool, args, this.#parts.deskName, this.#parts.deps);
    for (let judged = 0; judged < judgements; judged += 1) {
      const decision = await this.#decide(call, facts);
      Object.assign(row, { facts, verdict: decision.verdict, verdictReason: decision.reason });
      const prepared = await this.#follow(decision, call, guarded);
      if (prepared) return prepared;
    }
    return this.#endings.refuse(call, "The rules changed again and again while this call was judged. Try again.");
  }

  /** Does what the gate decided; null where that has changed meanwhile and must be decided anew. */
  async #follow(decision: GateDecision, call: ValidCall, guarded: GuardedCall): Promise<Prepared | null> {
    if (decision.verdict === "deny") {
      const text = `Denied, and not run: ${decision.reason}`;
      return this.#endings.answer(call, "refusal", { status: "denied", text, isError: true });
    }
    if (decision.verdict === "hold" || call.tool.ask) return this.#waiting.wait(call, decision);
    return this.#start(decision, call, guarded);
  }

  async #start(decision: GateDecision, call: ValidCall, guarded: GuardedCall): Promise<Prepared | null> {
    const { deps } = this.#parts;
    const { tool, args } = call;
    const row: CallRow = { ...call.row, status: "running", startedAt: isoNow(deps.clock) };
    const certain: Condition[] =
      tool.effect === "write" ? [{ that: "noUncertain", deskName: row.deskName, tool: tool.name }] : [];
    const result = await deps.store.commit({
      name: "call",
      when: [...this.#endings.open(call), { that: "policy", version: decision.policyVersion }, ...certain],
      changes: [{ insert: "call", row }],
      events: [callEvent(row, call.given)],
    });
    return result.committed ? { run: { row, tool, args, guarded } } : this.#endings.refusedBy(call, result);
  }

  async #decide(call: ValidCall, facts: JsonObject | null): Promise<GateDecision> {
    const { deps, deskName, gate, memory } = this.#parts;
    const question = {
      deskName,
      tool: call.tool,
      arguments: call.row.arguments ?? "{}",
      facts,
      uncertain: await uncertainLabels(deskName, call.tool, deps),
      earlierAttempts: earlierAttempts(memory.of(call.turn.triggerId).completed, call.tool, call.turn.attempt),
    };
    if (gate) return gate.decide(question);
    // Without a gate, every write is held.
    const { version } = await deps.store.policy();
    const bare = { ...question, tool: { ...call.tool, defaultVerdict: undefined } };
    return { ...judge([], bare), policyVersion: version };
  }
}

import type { CapName } from "#lib/protocol/caps.ts";
import type { JsonObject } from "#lib/protocol/json.ts";
import { limits } from "#lib/protocol/limits.ts";
import { callIdentity } from "./call-identity.ts";
import { callEvent, newCall, requestEvent, resultEvent } from "./call-units.ts";
import { cutText, shortValue } from "./canonical.ts";
import { capUnit } from "./caps.ts";
import type { CoreDeps } from "./deps.ts";
import type { GuardedCall, LoopGuard } from "./loop-guard.ts";
import { newRequest } from "./new-requests.ts";
import type { PermissionGate, GateDecision } from "./permission-gate.ts";
import { judge } from "./policy.ts";
import { isoNow } from "./ports/clock.ts";
import type { CallAnswer, CallAsk } from "./ports/backend.ts";
import type { CommitResult, Condition, UnitName } from "./ports/unit.ts";
import { argumentsText, issuesText, readArguments } from "./read-arguments.ts";
import type { CallRow, RequestRow } from "./record.ts";
import { askedText, heldText, presentText } from "./request-texts.ts";
import { timeBox } from "./time-box.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import type { Tool } from "./tool.ts";
import type { RememberedCall, TurnHandle, TurnMemory } from "./turn-memory.ts";
import { requestLabel } from "./user-requests-table.ts";

/** A call that is recorded as running; its tool may start. */
export interface RunningCall {
  row: CallRow;
  tool: Tool;
  args: JsonObject;
  guarded: GuardedCall;
}

/** What steps 0 to 4 came to: an answer, or a run. `remember` is set where the call was held or asked. */
export type Prepared = { answer: CallAnswer; remember: RememberedCall | null } | { run: RunningCall };

interface Parts {
  deskName: string;
  registry: ToolRegistry;
  guard: LoopGuard;
  gate: PermissionGate | null;
  memory: TurnMemory;
  deps: CoreDeps;
}

interface Asked {
  turn: TurnHandle;
  given: unknown;
  row: CallRow;
}

interface Valid extends Asked {
  tool: Tool;
  args: JsonObject;
  identity: string;
}

/** How often a call is judged anew because the rules, or a request, changed while it was. */
const judgements = 8;

/** Steps 0 to 4 of a call: what leads to one commit. The executor runs them one at a time for its desk. */
export class IncomingCalls {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
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
    const asked: Asked = { turn, given: ask.arguments, row };
    const desk = await deps.store.desk(deskName);
    if (desk && turnRecord.asked > desk.caps.callsPerTurn) {
      return this.#atCap(asked, "callsPerTurn", desk.caps.callsPerTurn, turnRecord.asked);
    }
    const tool = registry.find(name);
    if (!tool) {
      const known = registry.names().join(", ");
      return this.#refuse(asked, `There is no tool ${shortValue(name)}. The tools of this desk: ${known}.`);
    }
    row.effect = tool.effect;
    const read = readArguments(tool, ask.arguments);
    if (!read.ok) return this.#refuse(asked, issuesText(tool.name, read.issues));
    const identity = callIdentity(deskName, tool, read.value, deps.digest);
    Object.assign(row, { arguments: read.canonical, identity });
    return this.#guarded({ ...asked, tool, args: read.value, identity });
  }

  async #guarded(call: Valid): Promise<Prepared> {
    const { guard, memory } = this.#parts;
    const heldId = memory.of(call.turn.triggerId).held.get(call.identity);
    if (heldId !== undefined) return this.#repeatOfHeld(call, heldId);
    const guarded: GuardedCall = {
      triggerId: call.turn.triggerId,
      callId: call.row.id,
      name: call.tool.name,
      effect: call.tool.effect,
      key: call.identity,
    };
    if (!guard.allows(guarded)) return this.#refuse(call, guard.refusalText(guarded));
    try {
      const prepared = await this.#throughGate(call, guarded);
      if (!("run" in prepared)) guard.forget(guarded);
      return prepared;
    } catch (error) {
      guard.forget(guarded);
      throw error;
    }
  }

  async #throughGate(call: Valid, guarded: GuardedCall): Promise<Prepared> {
    const { row, tool, args } = call;
    const facts = await this.#factsOf(tool, args);
    for (let attempt = 0; attempt < judgements; attempt += 1) {
      const decision = await this.#decide(call, facts);
      Object.assign(row, { facts, verdict: decision.verdict, verdictReason: decision.reason });
      if (decision.verdict === "deny") {
        const text = `Denied, and not run: ${decision.reason}`;
        const denied = await this.#answerUnit(call, "refusal", { status: "denied", text, isError: true });
        if ("answer" in denied) return denied;
        continue;
      }
      const policy: Condition = { that: "policy", version: decision.policyVersion };
      if (decision.verdict === "hold" || tool.ask) {
        const waiting = await this.#wait(call, decision, policy);
        if (waiting) return waiting;
        continue;
      }
      Object.assign(row, { status: "running", startedAt: isoNow(this.#parts.deps.clock) });
      const safe: Condition[] =
        tool.effect === "write" ? [{ that: "noUncertain", deskName: row.deskName, tool: tool.name }] : [];
      const held = decision.reason;
      const result = await this.#parts.deps.store.commit({
        name: "call",
        when: [...this.#open(call), policy, ...safe],
        changes: [{ insert: "call", row: { ...row } }],
        events: [callEvent(row, call.given)],
      });
      if (result.committed) return { run: { row: { ...row }, tool, args, guarded } };
      Object.assign(row, { status: "recorded", startedAt: null, verdictReason: held });
      const refused = await this.#refusedBy(call, result);
      if (refused) return refused;
    }
    return this.#refuse(call, "The rules changed again and again while this call was judged. Try again.");
  }

  /** Holds the call, or puts its questions; null where it has to be judged anew. */
  async #wait(call: Valid, decision: GateDecision, policy: Condition): Promise<Prepared | null> {
    const { deps, deskName } = this.#parts;
    const { row, tool } = call;
    const kind = tool.ask ? "question" : "permission";
    const [same] = await deps.store.requests({
      deskName,
      tool: tool.name,
      identity: call.identity,
      kinds: [kind],
      states: ["pending", "approved", "running"],
      order: "oldest",
      limit: 1,
    });
    if (same) return this.#join(call, same);
    const desk = await deps.store.desk(deskName);
    const cap = desk?.caps.pendingRequests ?? 1;
    const request = await newRequest({ ...call, deskName, reason: decision.reason }, deps);
    const text = tool.ask ? askedText(request.number) : heldText(request.number);
    const status = tool.ask ? "succeeded" : "held";
    const ended = this.#ended(row, { status, text, isError: false, requestId: request.id });
    const result = await deps.store.commit({
      name: tool.ask ? "question" : "hold",
      when: [...this.#open(call), policy, { that: "pendingRequests", deskName, below: cap }],
      changes: [
        { insert: "call", row: ended },
        { insert: "request", row: request },
      ],
      events: [callEvent(row, call.given), requestEvent(request, summaryOf(request)), resultEvent(ended)],
    });
    if (result.committed) return this.#held(call, ended, request.id);
    return this.#refusedBy(call, result, cap);
  }

  /** Answers with the request that waits already for an equal call of another turn. */
  async #join(call: Valid, same: RequestRow): Promise<Prepared | null> {
    const text = presentText(same);
    const ended = this.#ended(call.row, { status: "held", text, isError: false, requestId: same.id });
    const result = await this.#parts.deps.store.commit({
      name: "hold",
      when: [...this.#open(call), { that: "request", id: same.id, state: [same.state] }],
      changes: [{ insert: "call", row: ended }],
      events: [callEvent(call.row, call.given), resultEvent(ended)],
    });
    if (result.committed) return this.#held(call, ended, same.id);
    return this.#refusedBy(call, result);
  }

  /** A repeat within the turn of a call that was held or asked: how its request stands, without error. */
  async #repeatOfHeld(call: Valid, requestId: string): Promise<Prepared> {
    const request = await this.#parts.deps.store.request(requestId);
    const text = request ? presentText(request) : "This call was held before, and must not be repeated.";
    const answered = await this.#answerUnit(call, "hold", { status: "held", text, isError: false, requestId });
    return "answer" in answered ? answered : this.#refuse(call, text);
  }

  #held(call: Valid, ended: CallRow, requestId: string): Prepared {
    this.#parts.memory.of(call.turn.triggerId).held.set(call.identity, requestId);
    return { answer: answerOf(ended), remember: rememberedCall(ended, requestId) };
  }

  /** Commits a call for which no tool starts, as long as its turn is open; gives `{}` where it must be judged anew. */
  async #answerUnit(call: Asked, name: UnitName, end: End): Promise<Prepared | { again: true }> {
    const ended = this.#ended(call.row, end);
    const result = await this.#parts.deps.store.commit({
      name,
      when: this.#open(call),
      changes: [{ insert: "call", row: ended }],
      events: [callEvent(call.row, call.given), resultEvent(ended)],
    });
    if (result.committed) return { answer: answerOf(ended), remember: null };
    return (await this.#refusedBy(call, result)) ?? { again: true };
  }

  /** Records a refusal: it needs no open turn. */
  async #refuse(call: Asked, text: string): Promise<Prepared> {
    const ended = this.#ended(call.row, { status: "refused", text, isError: true });
    const result = await this.#parts.deps.store.commit({
      name: "refusal",
      when: [],
      changes: [{ insert: "call", row: ended }],
      events: [callEvent(call.row, call.given), resultEvent(ended)],
    });
    if (!result.committed) throw new Error(`the refusal of call ${call.row.id} was not recorded`);
    return { answer: answerOf(ended), remember: null };
  }

  /** The refusal that a failed condition asks for; null where the call has to be judged anew. */
  async #refusedBy(call: Asked, result: CommitResult, cap = 0): Promise<Prepared | null> {
    if (result.committed) return null;
    const { failed } = result;
    if (failed.that === "desk") {
      const status = result.winner?.table === "desk" ? result.winner.row.status : "gone";
      return this.#refuse(call, `Refused: the desk is ${status}, and its calls are not run. A person has to resume it.`);
    }
    if (failed.that === "attemptOpen") {
      return this.#refuse(call, "Refused: this attempt of the turn is over, and its calls are not run.");
    }
    if (failed.that === "pendingRequests") return this.#atCap(call, "pendingRequests", cap, cap + 1);
    return null;
  }

  async #atCap(call: Asked, cap: CapName, limit: number, given: number): Promise<Prepared> {
    const { deps, deskName, memory } = this.#parts;
    const turn = memory.of(call.turn.triggerId);
    if (!turn.capsTold.has(cap)) {
      turn.capsTold.add(cap);
      await capUnit(deps, deskName, { cap, limit, triggerId: call.turn.triggerId });
    }
    const text = `Refused: the desk is at its cap ${cap}: at most ${limit}, this would be ${given}. End this turn; people were told.`;
    return this.#refuse(call, text);
  }

  #open(call: Asked): Condition[] {
    return [
      { that: "desk", name: this.#parts.deskName, status: ["active"] },
      { that: "attemptOpen", triggerId: call.turn.triggerId, attempt: call.turn.attempt },
    ];
  }

  #ended(row: CallRow, end: End): CallRow {
    return {
      ...row,
      status: end.status,
      outcome: end.status === "succeeded" ? "done" : "notDone",
      resultText: end.text,
      isError: end.isError,
      requestId: end.requestId ?? null,
      endedAt: isoNow(this.#parts.deps.clock),
    };
  }

  async #factsOf(tool: Tool, args: JsonObject): Promise<JsonObject | null> {
    const { facts } = tool;
    if (!facts) return {};
    const { deps, deskName } = this.#parts;
    const boxed = await timeBox(deps.clock, limits.factsTimeoutMs, (signal) => facts(args, { deskName, signal }));
    if (boxed.in === "time") return boxed.value;
    deps.log.warn({ desk: deskName, tool: tool.name, in: boxed.in }, "a tool could not compute its facts");
    return null;
  }

  async #decide(call: Valid, facts: JsonObject | null): Promise<GateDecision> {
    const { deps, deskName, gate, memory } = this.#parts;
    const uncertain =
      call.tool.effect === "write"
        ? await deps.store.requests({
            deskName,
            tool: call.tool.name,
            kinds: ["uncertain"],
            states: ["pending"],
            order: "oldest",
            limit: 10,
          })
        : [];
    const earlier = memory
      .of(call.turn.triggerId)
      .completed.filter((done) => done.attempt < call.turn.attempt && done.name === call.tool.name && done.effect === "write");
    const question = {
      deskName,
      tool: call.tool,
      arguments: call.row.arguments ?? "{}",
      facts,
      uncertain: uncertain.map((request) => requestLabel(request.number)),
      earlierAttempts: earlier.map((done) => `${JSON.stringify(done.arguments)} gave ${JSON.stringify(cutText(done.resultText, 500))}`),
    };
    if (gate) return gate.decide(question);
    // Without a gate, every write is held.
    const { version } = await deps.store.policy();
    const bare = { ...question, tool: { ...call.tool, defaultVerdict: undefined } };
    return { ...judge([], bare), policyVersion: version };
  }
}

interface End {
  status: "refused" | "denied" | "held" | "succeeded";
  text: string;
  isError: boolean;
  requestId?: string;
}

function summaryOf(request: RequestRow): string {
  const first = request.questions?.[0];
  if (first) return first.question;
  return request.ticket?.headline ?? request.tool;
}

/** What a caller gets of a call that has ended. */
export function answerOf(row: CallRow): CallAnswer {
  return {
    callId: row.id,
    status: row.status,
    text: row.resultText ?? "",
    isError: row.isError ?? true,
    outcome: row.outcome ?? "notDone",
    requestId: row.requestId,
    picturePath: row.pictureId === null ? null : `/api/pictures/${row.pictureId}`,
  };
}

/** What the next attempt is shown of a call that ran or was held. */
export function rememberedCall(row: CallRow, requestId: string | null): RememberedCall {
  return {
    callId: row.id,
    name: row.name,
    arguments: JSON.parse(row.arguments ?? "{}") as JsonObject,
    resultText: row.resultText ?? "",
    isError: row.isError ?? true,
    effect: row.effect ?? "write",
    attempt: row.attempt,
    requestId,
  };
}

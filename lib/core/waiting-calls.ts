import { answerOf, rememberedCall } from "./call-answers.ts";
import type { AnsweredCall, AskedCall, CallEndings } from "./call-endings.ts";
import { callEvent, requestEvent, resultEvent } from "./call-units.ts";
import type { CoreDeps } from "./deps.ts";
import { newRequest } from "./new-requests.ts";
import type { GateDecision } from "./permission-gate.ts";
import { isAfterNow } from "./ports/clock.ts";
import type { Condition } from "./ports/unit.ts";
import type { JsonObject } from "#lib/protocol/json.ts";
import type { CallRow, RequestRow } from "./record.ts";
import { askedText, heldText, presentText } from "./request-texts.ts";
import type { Tool } from "./tool.ts";
import type { TurnMemory } from "./turn-memory.ts";

/** A call with a known tool and valid arguments. */
export interface ValidCall extends AskedCall {
  tool: Tool;
  args: JsonObject;
  identity: string;
}

/** Calls that wait for a person: new holds and questions, and the repeats of such. */
export class WaitingCalls {
  readonly #deskName: string;
  readonly #memory: TurnMemory;
  readonly #endings: CallEndings;
  readonly #deps: CoreDeps;

  constructor(deskName: string, memory: TurnMemory, endings: CallEndings, deps: CoreDeps) {
    this.#deskName = deskName;
    this.#memory = memory;
    this.#endings = endings;
    this.#deps = deps;
  }

  /** Holds the call, or puts its questions; null where it has to be judged anew. */
  async wait(call: ValidCall, decision: GateDecision): Promise<AnsweredCall | null> {
    const { row, tool } = call;
    const same = await this.#sameRequest(call);
    if (same) return this.#join(call, same);
    const desk = await this.#deps.store.desk(this.#deskName);
    const cap = desk?.caps.pendingRequests ?? 1;
    const request = await newRequest({ ...call, deskName: this.#deskName, reason: decision.reason }, this.#deps);
    const text = tool.ask ? askedText(request.number) : heldText(request.number);
    const status = tool.ask ? "succeeded" : "held";
    const ended = this.#endings.ended(row, { status, text, isError: false, requestId: request.id });
    const conditions: Condition[] = [
      ...this.#endings.open(call),
      { that: "policy", version: decision.policyVersion },
      { that: "pendingRequests", deskName: this.#deskName, below: cap },
    ];
    const result = await this.#deps.store.commit({
      name: tool.ask ? "question" : "hold",
      when: conditions,
      changes: [
        { insert: "call", row: ended },
        { insert: "request", row: request },
      ],
      events: [callEvent(row, call.given), requestEvent(request, summaryOf(request)), resultEvent(ended)],
    });
    return result.committed ? this.#held(call, ended, request.id) : this.#endings.refusedBy(call, result, cap);
  }

  /**
   * A repeat within the turn of a call that was held or asked: how its request stands, without error. Undefined where it is
   * no such repeat.
   */
  async repeat(call: ValidCall): Promise<AnsweredCall | undefined> {
    const requestId = this.#memory.of(call.turn.triggerId).held.get(call.identity);
    if (requestId === undefined) return undefined;
    const request = await this.#deps.store.request(requestId);
    const text = request ? presentText(request) : "This call was held before, and must not be repeated.";
    const answered = await this.#endings.answer(call, "hold", { status: "held", text, isError: false, requestId });
    return answered ?? this.#endings.refuse(call, text);
  }

  async #sameRequest(call: ValidCall): Promise<RequestRow | undefined> {
    const found = await this.#deps.store.requests({
      deskName: this.#deskName,
      tool: call.tool.name,
      identity: call.identity,
      kinds: [call.tool.ask ? "question" : "permission"],
      states: ["pending", "approved", "running"],
      order: "oldest",
      limit: 10,
    });
    // One that is due to expire is told as expired soon; nothing more can come of it.
    const now = this.#deps.clock.now();
    return found.find(
      ({ state, expiresAt }) => state !== "pending" || expiresAt === null || isAfterNow(expiresAt, now),
    );
  }

  /** Answers with the request that waits already for an equal call of another turn. */
  async #join(call: ValidCall, same: RequestRow): Promise<AnsweredCall | null> {
    const text = presentText(same);
    const ended = this.#endings.ended(call.row, { status: "held", text, isError: false, requestId: same.id });
    const result = await this.#deps.store.commit({
      name: "hold",
      when: [...this.#endings.open(call), { that: "request", id: same.id, state: [same.state] }],
      changes: [{ insert: "call", row: ended }],
      events: [callEvent(call.row, call.given), resultEvent(ended)],
    });
    return result.committed ? this.#held(call, ended, same.id) : this.#endings.refusedBy(call, result);
  }

  #held(call: ValidCall, ended: CallRow, requestId: string): AnsweredCall {
    this.#memory.of(call.turn.triggerId).held.set(call.identity, requestId);
    return { answer: answerOf(ended), remember: rememberedCall(ended, requestId) };
  }
}

function summaryOf(request: RequestRow): string {
  const first = request.questions?.[0];
  return first ? first.question : (request.ticket?.headline ?? request.tool);
}

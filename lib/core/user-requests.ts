import type { AnswerBody, DecisionBody, ResolveBody } from "#lib/protocol/bodies.ts";
import { answerData, answerText, checkedAnswers } from "./answers.ts";
import { callEvent, changedEvent } from "./call-units.ts";
import { parseObject } from "./canonical.ts";
import type { CoreDeps } from "./deps.ts";
import { HoldDecisions, type EditCheck } from "./hold-decisions.ts";
import { outcomeTrigger, queueTrigger } from "./outcome-triggers.ts";
import { isoNow } from "./ports/clock.ts";
import type { RequestRow } from "./record.ts";
import { cannotRun, RequestSettling } from "./request-settling.ts";
import type { ToolCallExecutor } from "./tool-call-executor.ts";

/** What people do with what waits for them. Each change is one conditional unit: the first wins (P5). */
export class UserRequests {
  readonly #deps: CoreDeps;
  readonly #settling: RequestSettling;
  readonly #holds: HoldDecisions;

  constructor(executorOf: (deskName: string) => ToolCallExecutor | undefined, deps: CoreDeps) {
    this.#deps = deps;
    this.#settling = new RequestSettling(executorOf, deps);
    this.#holds = new HoldDecisions(this.#settling, deps);
  }

  /** @throws AppError `not_found`. */
  async read(id: string): Promise<RequestRow> {
    return this.#settling.read(id);
  }

  /** The digest that a decision about these arguments has to name. */
  digestOf(request: RequestRow, args: string = request.arguments): string {
    return this.#settling.digestOf(request, args);
  }

  /** Approves or denies a hold; see `HoldDecisions.decide`. */
  async decide(id: string, body: DecisionBody, by: string): Promise<RequestRow> {
    return this.#holds.decide(id, body, by);
  }

  /** What edited arguments would run; see `HoldDecisions.check`. */
  async check(id: string, args: unknown): Promise<EditCheck> {
    return this.#holds.check(id, args);
  }

  /** Answers a question. @throws AppError 400 that names what is missing; 409 where it is closed. */
  async answer(id: string, body: AnswerBody, by: string): Promise<RequestRow> {
    const request = await this.#settling.readKind(id, "question");
    const answers = checkedAnswers(request.questions ?? [], body.answers);
    const data = answerData(request, answers, by);
    const at = isoNow(this.#deps.clock);
    const told = queueTrigger({
      id: this.#deps.ids.next(),
      deskName: request.deskName,
      kind: "answer",
      from: by,
      text: answerText(data),
      data: { ...data },
      requestId: request.id,
      at,
    });
    const result = await this.#deps.store.commit({
      name: "answer",
      when: [{ that: "request", id, state: ["pending"], alive: true }],
      changes: [
        {
          update: "request",
          key: id,
          set: { state: "answered", answers, decidedBy: by, decidedAt: at, decision: "answer" },
        },
        told.change,
      ],
      events: [changedEvent(request, { from: "pending", to: "answered", by }), told.event],
    });
    const same = (row: RequestRow) =>
      row.state === "answered" && row.decidedBy === by && JSON.stringify(row.answers) === JSON.stringify(answers);
    return this.#settling.settled(request, result, same);
  }

  /** Closes a question without an answer; the desk is told. @throws AppError 409 where it is closed. */
  async dismiss(id: string, by: string): Promise<RequestRow> {
    const request = await this.#settling.readKind(id, "question");
    const at = isoNow(this.#deps.clock);
    const told = outcomeTrigger(request, this.#deps.ids.next(), at, {
      state: "dismissed",
      by,
      note: null,
      resultText: null,
    });
    const result = await this.#deps.store.commit({
      name: "dismissal",
      when: [{ that: "request", id, state: ["pending"], alive: true }],
      changes: [
        { update: "request", key: id, set: { state: "dismissed", decidedBy: by, decidedAt: at, decision: "dismiss" } },
        told.change,
      ],
      events: [changedEvent(request, { from: "pending", to: "dismissed", by }), told.event],
    });
    return this.#settling.settled(request, result, (row) => row.state === "dismissed" && row.decidedBy === by);
  }

  /** Says of an uncertain call whether it ran, or runs it again under the same key. @throws AppError 409. */
  async resolve(id: string, body: ResolveBody, by: string): Promise<RequestRow> {
    const request = await this.#settling.readKind(id, "uncertain");
    const at = isoNow(this.#deps.clock);
    const note = body.note === "" ? null : body.note;
    const set = { state: "resolved", decidedBy: by, decidedAt: at, decision: body.outcome, note } as const;
    const reason = note === null ? body.outcome : `${body.outcome}: ${note}`;
    const changed = changedEvent(request, { from: "pending", to: "resolved", by, reason });
    const same = (row: RequestRow) => row.state === "resolved" && row.decidedBy === by && row.decision === body.outcome;
    while (body.outcome === "runAgain") {
      const executor = this.#settling.executor(request);
      const check = await executor.check({ tool: request.tool, toolDigest: null, arguments: request.arguments });
      if (!check.ok) throw cannotRun(check, request);
      const result = await executor.runAgain({ ...request, ...set }, check, (call) => ({
        name: "resolution",
        when: [
          { that: "request", id, state: ["pending"] },
          { that: "desk", name: request.deskName, status: ["active"] },
          { that: "policy", version: check.policyVersion },
        ],
        changes: [
          { update: "request", key: id, set: { ...set, runCallId: call.id } },
          { insert: "call", row: call },
        ],
        events: [changed, callEvent(call, parseObject(request.arguments))],
      }));
      // Rules that changed meanwhile are read again.
      if (result.committed || result.failed.that !== "policy") return this.#settling.settled(request, result, same);
    }
    const told = outcomeTrigger(request, this.#deps.ids.next(), at, {
      state: "resolved",
      resolution: body.outcome,
      by,
      note,
      resultText: null,
    });
    const result = await this.#deps.store.commit({
      name: "resolution",
      when: [{ that: "request", id, state: ["pending"] }],
      changes: [{ update: "request", key: id, set }, told.change],
      events: [changed, told.event],
    });
    return this.#settling.settled(request, result, same);
  }

  /** Expires what is due, by the store's clock, and makes void what was approved and is overdue. @returns how many expired. */
  async expireDue(): Promise<number> {
    const due = await this.#deps.store.requests({
      kinds: ["question", "permission"],
      states: ["pending"],
      expiredAt: isoNow(this.#deps.clock),
      order: "oldest",
      limit: 100,
    });
    for (const request of due) await this.#settling.expire(request);
    await this.#holds.voidOverdue();
    return due.length;
  }
}

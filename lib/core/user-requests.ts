import type { AnswerBody, DecisionBody, ResolveBody } from "#lib/protocol/bodies.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { RequestKind } from "#lib/protocol/states.ts";
import { answerData, answerText, checkedAnswers } from "./answers.ts";
import { AppError } from "./app-error.ts";
import type { RunCheck } from "./approved-runs.ts";
import { callEvent, changedEvent } from "./call-units.ts";
import { parseObject } from "./canonical.ts";
import type { CoreDeps } from "./deps.ts";
import { ticketOf } from "./new-requests.ts";
import { outcomeTrigger, queueTrigger } from "./outcome-triggers.ts";
import { isAfterNow, isoNow } from "./ports/clock.ts";
import type { CommitResult } from "./ports/unit.ts";
import { issuesText, readArguments } from "./read-arguments.ts";
import type { RequestRow } from "./record.ts";
import { requestDigest } from "./request-digest.ts";
import { toolDigest } from "./tool-registry.ts";
import type { ToolCallExecutor } from "./tool-call-executor.ts";
import { requestLabel } from "./user-requests-table.ts";
import { lost, notPending, wrongKind } from "./request-errors.ts";
import type { Ticket } from "#lib/protocol/ticket.ts";
import type { Verdict } from "#lib/protocol/states.ts";

/** What edited arguments would run. */
export interface EditCheck {
  arguments: string;
  verdict: Verdict;
  reason: string;
  ticket: Ticket | null;
  digest: string;
}

/** What people do with what waits for them. Each change is one conditional unit: the first wins (P5). */
export class UserRequests {
  readonly #deps: CoreDeps;
  readonly #executorOf: (deskName: string) => ToolCallExecutor | undefined;

  constructor(executorOf: (deskName: string) => ToolCallExecutor | undefined, deps: CoreDeps) {
    this.#executorOf = executorOf;
    this.#deps = deps;
  }

  /** @throws AppError `not_found`. */
  async read(id: string): Promise<RequestRow> {
    const request = await this.#deps.store.request(id);
    if (!request) throw new AppError("not_found", `there is no request ${id.slice(0, 80)}`, { field: "id", given: id.slice(0, 80) });
    return request;
  }

  /** The digest that a decision about these arguments has to name. */
  digestOf(request: RequestRow, args: string = request.arguments): string {
    const registry = this.#executorOf(request.deskName)?.registry;
    return requestDigest(request, args, registry, this.#deps.digest);
  }

  /**
   * Approves or denies a hold. Answers at the commit; an approved call then runs behind the desk's earlier ones.
   * @throws AppError 409 with the request as it stands, where another decision won; 409 where the desk is not active, a rule
   * denies the call, or the digest does not fit; 400 for arguments that are not valid.
   */
  async decide(id: string, body: DecisionBody, by: string): Promise<RequestRow> {
    const request = await this.#readKind(id, "permission");
    if (body.decision === "deny" && body.arguments !== undefined) {
      throw new AppError("invalid", "arguments: a denial has none", { field: "arguments", limit: "only with approve" });
    }
    return body.decision === "deny" ? this.#deny(request, body, by) : this.#approve(request, body, by);
  }

  /** What edited arguments would run: normalised, judged, with ticket and digest. @throws AppError for invalid ones. */
  async check(id: string, args: unknown): Promise<EditCheck> {
    const request = await this.#readKind(id, "permission");
    const executor = this.#executor(request);
    const canonical = this.#normalised(executor, request, args);
    const run = await executor.check({ tool: request.tool, toolDigest: null, arguments: canonical });
    if (!run.ok && run.code !== "refused_by_rule") throw cannotRun(run, request);
    const ticket = run.ok ? await ticketOf(run.tool, run.args, request.deskName, this.#deps) : null;
    return {
      arguments: canonical,
      verdict: run.ok ? "hold" : "deny",
      reason: run.ok ? run.verdictReason : run.reason,
      ticket,
      digest: this.digestOf(request, canonical),
    };
  }

  /** Answers a question. @throws AppError 400 that names what is missing; 409 where it is closed. */
  async answer(id: string, body: AnswerBody, by: string): Promise<RequestRow> {
    const request = await this.#readKind(id, "question");
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
        { update: "request", key: id, set: { state: "answered", answers, decidedBy: by, decidedAt: at, decision: "answer" } },
        told.change,
      ],
      events: [changedEvent(request, { from: "pending", to: "answered", by }), told.event],
    });
    const same = (row: RequestRow) =>
      row.state === "answered" && row.decidedBy === by && JSON.stringify(row.answers) === JSON.stringify(answers);
    return this.#settled(request, result, same);
  }

  /** Closes a question without an answer; the desk is told. @throws AppError 409 where it is closed. */
  async dismiss(id: string, by: string): Promise<RequestRow> {
    const request = await this.#readKind(id, "question");
    const at = isoNow(this.#deps.clock);
    const told = outcomeTrigger(request, this.#deps.ids.next(), at, { state: "dismissed", by, note: null, resultText: null });
    const result = await this.#deps.store.commit({
      name: "dismissal",
      when: [{ that: "request", id, state: ["pending"], alive: true }],
      changes: [
        { update: "request", key: id, set: { state: "dismissed", decidedBy: by, decidedAt: at, decision: "dismiss" } },
        told.change,
      ],
      events: [changedEvent(request, { from: "pending", to: "dismissed", by }), told.event],
    });
    return this.#settled(request, result, (row) => row.state === "dismissed" && row.decidedBy === by);
  }

  /** Says of an uncertain call whether it ran, or runs it again under the same key. @throws AppError 409. */
  async resolve(id: string, body: ResolveBody, by: string): Promise<RequestRow> {
    const request = await this.#readKind(id, "uncertain");
    const at = isoNow(this.#deps.clock);
    const note = body.note === "" ? null : body.note;
    const set = { state: "resolved", decidedBy: by, decidedAt: at, decision: body.outcome, note } as const;
    const reason = note === null ? body.outcome : `${body.outcome}: ${note}`;
    const changed = changedEvent(request, { from: "pending", to: "resolved", by, reason });
    const same = (row: RequestRow) => row.state === "resolved" && row.decidedBy === by && row.decision === body.outcome;
    if (body.outcome === "runAgain") {
      const executor = this.#executor(request);
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
      return this.#settled(request, result, same);
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
    return this.#settled(request, result, same);
  }

  /** Expires what is due, by the store's clock. @returns how many did. */
  async expireDue(): Promise<number> {
    const due = await this.#deps.store.requests({
      kinds: ["question", "permission"],
      states: ["pending"],
      expiredAt: isoNow(this.#deps.clock),
      order: "oldest",
      limit: 100,
    });
    for (const request of due) await this.#expire(request);
    return due.length;
  }

  async #deny(request: RequestRow, body: DecisionBody, by: string): Promise<RequestRow> {
    const at = isoNow(this.#deps.clock);
    const note = body.note === undefined || body.note === "" ? null : body.note;
    const told = outcomeTrigger(request, this.#deps.ids.next(), at, { state: "denied", by, note, resultText: null });
    const result = await this.#deps.store.commit({
      name: "decision",
      when: [{ that: "request", id: request.id, state: ["pending"], alive: true }],
      changes: [
        {
          update: "request",
          key: request.id,
          set: { state: "denied", decidedBy: by, decidedAt: at, decision: "deny", note },
        },
        told.change,
      ],
      events: [
        changedEvent(request, { from: "pending", to: "denied", by, ...(note !== null && { reason: note }) }),
        told.event,
      ],
    });
    return this.#settled(request, result, (row) => row.decision === "deny" && row.decidedBy === by);
  }

  async #approve(request: RequestRow, body: DecisionBody, by: string): Promise<RequestRow> {
    const executor = this.#executor(request);
    const final = body.arguments === undefined ? request.arguments : this.#normalised(executor, request, body.arguments);
    const same = (row: RequestRow) => row.decision === "approve" && row.decidedBy === by && row.arguments === final;
    if (request.state !== "pending") return this.#settled(request, notPending(request), same);
    if (executor.halted !== null) throw new AppError("record_unavailable", `Desk ${request.deskName} takes no more calls: ${executor.halted}`);
    if (body.digest !== this.digestOf(request, final)) {
      const message = `the digest does not fit what ${requestLabel(request.number)} would run now: it, or its tool, has changed. Look at it again.`;
      throw new AppError("digest_mismatch", message, { field: "digest", given: body.digest, request });
    }
    const edited = final !== request.arguments;
    for (;;) {
      const check = await executor.check({ tool: request.tool, toolDigest: null, arguments: final });
      if (!check.ok) throw cannotRun(check, request);
      const now = this.#deps.clock.now();
      const at = new Date(now).toISOString();
      const note = body.note === undefined || body.note === "" ? null : body.note;
      const result = await this.#deps.store.commit({
        name: "decision",
        when: [
          { that: "request", id: request.id, state: ["pending"], alive: true, arguments: request.arguments },
          { that: "desk", name: request.deskName, status: ["active"] },
          { that: "policy", version: check.policyVersion },
        ],
        changes: [
          {
            update: "request",
            key: request.id,
            set: {
              state: "approved",
              decidedBy: by,
              decidedAt: at,
              decision: "approve",
              note,
              runBy: new Date(now + limits.runByMs).toISOString(),
              toolDigest: toolDigest(check.tool, this.#deps.digest),
              ...(edited && { arguments: final, argumentsBeforeEdit: request.argumentsBeforeEdit ?? request.arguments }),
            },
          },
        ],
        events: [
          changedEvent(request, {
            from: "pending",
            to: "approved",
            by,
            ...(edited && { reason: `edited: ${final}` }),
          }),
        ],
      });
      if (!result.committed && result.failed.that === "policy") continue;
      const row = await this.#settled(request, result, same);
      if (result.committed) {
        executor.runApproved(request.id).catch((error: unknown) => {
          this.#deps.log.error({ err: error, request: request.id }, "an approved call could not be carried out");
        });
      }
      return row;
    }
  }

  /** The row after a unit; where it was not committed, the first answer again for the same decision, or why not. */
  async #settled(request: RequestRow, result: CommitResult, same: (row: RequestRow) => boolean): Promise<RequestRow> {
    if (result.committed) return this.read(request.id);
    const now = await this.read(request.id);
    if (same(now)) return now;
    if (now.state === "pending" && now.expiresAt !== null && !isAfterNow(now.expiresAt, this.#deps.clock.now())) {
      await this.#expire(now);
      throw lost(await this.read(request.id));
    }
    if (now.state === "pending" && result.failed.that === "desk") {
      const status = result.winner?.table === "desk" ? result.winner.row.status : "gone";
      const message = `Desk ${request.deskName} is ${status}; ${requestLabel(request.number)} still waits. Resume the desk first.`;
      throw new AppError("desk_not_active", message, { request: now });
    }
    throw lost(now);
  }

  async #expire(request: RequestRow): Promise<void> {
    const told = outcomeTrigger(request, this.#deps.ids.next(), isoNow(this.#deps.clock), {
      state: "expired",
      by: null,
      note: null,
      resultText: null,
    });
    await this.#deps.store.commit({
      name: "expiry",
      when: [{ that: "request", id: request.id, state: ["pending"], expired: true }],
      changes: [{ update: "request", key: request.id, set: { state: "expired" } }, told.change],
      events: [changedEvent(request, { from: "pending", to: "expired", by: "deskboard" }), told.event],
    });
  }

  async #readKind(id: string, kind: RequestKind): Promise<RequestRow> {
    const request = await this.read(id);
    if (request.kind !== kind) throw wrongKind(request, kind);
    return request;
  }

  #executor(request: RequestRow): ToolCallExecutor {
    const executor = this.#executorOf(request.deskName);
    if (!executor) throw new AppError("not_found", `there is no desk ${request.deskName}`);
    return executor;
  }

  #normalised(executor: ToolCallExecutor, request: RequestRow, args: unknown): string {
    const tool = executor.registry.find(request.tool);
    if (!tool) throw new AppError("tool_changed", `the desk has no tool ${request.tool} any more`, { request });
    const read = readArguments(tool, args);
    if (read.ok) return read.canonical;
    const [first] = read.issues;
    throw new AppError("invalid", issuesText(tool.name, read.issues), {
      field: `arguments.${first?.field ?? ""}`,
      limit: first?.message ?? "",
      given: first?.given ?? "",
    });
  }
}

function cannotRun(check: Extract<RunCheck, { ok: false }>, request: RequestRow): AppError {
  return new AppError(check.code, `${requestLabel(request.number)} cannot run: ${check.reason}`, { request });
}

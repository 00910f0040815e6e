import type { DecisionBody } from "#lib/protocol/bodies.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Verdict } from "#lib/protocol/states.ts";
import type { Ticket } from "#lib/protocol/ticket.ts";
import { AppError } from "./app-error.ts";
import { changedEvent } from "./call-units.ts";
import type { CoreDeps } from "./deps.ts";
import { ticketOf } from "./new-requests.ts";
import { outcomeTrigger } from "./outcome-triggers.ts";
import { isAfterNow, isoNow } from "./ports/clock.ts";
import { issuesText, readArguments } from "./read-arguments.ts";
import type { RequestRow } from "./record.ts";
import { notPending } from "./request-errors.ts";
import { cannotRun, type RequestSettling } from "./request-settling.ts";
import type { ToolCallExecutor } from "./tool-call-executor.ts";
import { toolDigest } from "./tool-registry.ts";
import { requestLabel } from "./user-requests-table.ts";

/** What edited arguments would run. */
export interface EditCheck {
  arguments: string;
  verdict: Verdict;
  reason: string;
  ticket: Ticket | null;
  digest: string;
}

/** Approving and denying holds, as they were asked for or edited. */
export class HoldDecisions {
  readonly #settling: RequestSettling;
  readonly #deps: CoreDeps;

  constructor(settling: RequestSettling, deps: CoreDeps) {
    this.#settling = settling;
    this.#deps = deps;
  }

  /**
   * Approves or denies a hold. Answers at the commit; an approved call then runs behind the desk's earlier ones.
   * @throws AppError 409 with the request as it stands, where another decision won; 409 where the desk is not active, a rule
   * denies the call, or the digest does not fit; 400 for arguments that are not valid.
   */
  async decide(id: string, body: DecisionBody, by: string): Promise<RequestRow> {
    const request = await this.#settling.readKind(id, "permission");
    if (body.decision === "deny" && body.arguments !== undefined) {
      throw new AppError("invalid", "arguments: a denial has none", { field: "arguments", limit: "only with approve" });
    }
    return body.decision === "deny" ? this.#deny(request, body, by) : this.#approve(request, body, by);
  }

  /** What edited arguments would run: normalised, judged, with ticket and digest. @throws AppError for invalid ones. */
  async check(id: string, args: unknown): Promise<EditCheck> {
    const request = await this.#settling.readKind(id, "permission");
    const executor = this.#settling.executor(request);
    const canonical = this.#normalised(executor, request, args);
    const run = await executor.check({ tool: request.tool, toolDigest: null, arguments: canonical });
    if (!run.ok && run.code !== "refused_by_rule") throw cannotRun(run, request);
    const ticket = run.ok ? await ticketOf(run.tool, run.args, request.deskName, this.#deps) : null;
    return {
      arguments: canonical,
      verdict: run.ok ? "hold" : "deny",
      reason: run.ok ? run.verdictReason : run.reason,
      ticket,
      digest: this.#settling.digestOf(request, canonical),
    };
  }

  /** Makes void what was approved and did not start in time. */
  async voidOverdue(): Promise<void> {
    const approved = await this.#deps.store.requests({
      kinds: ["permission"],
      states: ["approved"],
      order: "oldest",
      limit: 100,
    });
    const overdue = approved.filter((request) => !isAfterNow(request.runBy, this.#deps.clock.now()));
    for (const request of overdue) await this.#settling.executor(request).voidOverdue(request);
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
    return this.#settling.settled(request, result, (row) => row.state === "denied" && row.decidedBy === by);
  }

  async #approve(request: RequestRow, body: DecisionBody, by: string): Promise<RequestRow> {
    const executor = this.#settling.executor(request);
    const final =
      body.arguments === undefined ? request.arguments : this.#normalised(executor, request, body.arguments);
    // Arguments that are not named are those of the digest.
    const same = (row: RequestRow) =>
      row.state !== "cancelled" &&
      row.decision === "approve" &&
      row.decidedBy === by &&
      row.arguments === final &&
      (body.arguments !== undefined || body.digest === this.#settling.digestOf(row));
    if (request.state !== "pending") return this.#settling.settled(request, notPending(request), same);
    if (executor.halted !== null)
      throw new AppError("record_unavailable", `Desk ${request.deskName} takes no more calls: ${executor.halted}`);
    if (body.digest !== this.#settling.digestOf(request, final)) {
      const message = `the digest does not fit what ${requestLabel(request.number)} would run now: it, or its tool, has changed. Look at it again.`;
      throw new AppError("digest_mismatch", message, { field: "digest", given: body.digest, request });
    }
    const edited = final !== request.arguments;
    for (;;) {
      const check = await executor.check({ tool: request.tool, toolDigest: null, arguments: final });
      if (!check.ok) throw cannotRun(check, request);
      const now = this.#deps.clock.now();
      const note = body.note === undefined || body.note === "" ? null : body.note;
      const set: Partial<RequestRow> = {
        state: "approved",
        decidedBy: by,
        decidedAt: new Date(now).toISOString(),
        decision: "approve",
        note,
        runBy: new Date(now + limits.runByMs).toISOString(),
        toolDigest: toolDigest(check.tool, this.#deps.digest),
        ...(edited && {
          arguments: final,
          argumentsBeforeEdit: request.argumentsBeforeEdit ?? request.arguments,
          facts: check.facts,
          ticket: await ticketOf(check.tool, check.args, request.deskName, this.#deps),
        }),
      };
      const result = await this.#deps.store.commit({
        name: "decision",
        when: [
          { that: "request", id: request.id, state: ["pending"], alive: true, arguments: request.arguments },
          { that: "desk", name: request.deskName, status: ["active"] },
          { that: "policy", version: check.policyVersion },
        ],
        changes: [{ update: "request", key: request.id, set }],
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
      if (!result.committed) return this.#settling.settled(request, result, same);
      // At once, so that calls run in the order in which their decisions were committed.
      executor.runApproved(request.id).catch((error: unknown) => {
        this.#deps.log.error({ err: error, request: request.id }, "an approved call could not be carried out");
      });
      return { ...request, ...set };
    }
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

import type { RequestKind } from "#lib/protocol/states.ts";
import { AppError } from "./app-error.ts";
import type { RunCheck } from "./approved-runs.ts";
import { changedEvent } from "./call-units.ts";
import type { CoreDeps } from "./deps.ts";
import { outcomeTrigger } from "./outcome-triggers.ts";
import { isAfterNow, isoNow } from "./ports/clock.ts";
import type { CommitResult } from "./ports/unit.ts";
import type { RequestRow } from "./record.ts";
import { lost, wrongKind } from "./request-errors.ts";
import { requestDigest } from "./request-digest.ts";
import type { ToolCallExecutor } from "./tool-call-executor.ts";
import { requestLabel } from "./user-requests-table.ts";

/** What every change of a request needs: reading it, the digest of what it would run, and how a lost race is told. */
export class RequestSettling {
  readonly #deps: CoreDeps;
  readonly #executorOf: (deskName: string) => ToolCallExecutor | undefined;

  constructor(executorOf: (deskName: string) => ToolCallExecutor | undefined, deps: CoreDeps) {
    this.#executorOf = executorOf;
    this.#deps = deps;
  }

  /** @throws AppError `not_found`. */
  async read(id: string): Promise<RequestRow> {
    const request = await this.#deps.store.request(id);
    if (!request)
      throw new AppError("not_found", `there is no request ${id.slice(0, 80)}`, {
        field: "id",
        given: id.slice(0, 80),
      });
    return request;
  }

  /** @throws AppError `not_found`, or `invalid` where the request is of another kind. */
  async readKind(id: string, kind: RequestKind): Promise<RequestRow> {
    const request = await this.read(id);
    if (request.kind !== kind) throw wrongKind(request, kind);
    return request;
  }

  /** The executor of the request's desk. @throws AppError `not_found`. */
  executor(request: RequestRow): ToolCallExecutor {
    const executor = this.#executorOf(request.deskName);
    if (!executor) throw new AppError("not_found", `there is no desk ${request.deskName}`);
    return executor;
  }

  /** The digest that a decision about these arguments has to name. */
  digestOf(request: RequestRow, args: string = request.arguments): string {
    const registry = this.#executorOf(request.deskName)?.registry;
    return requestDigest(request, args, registry, this.#deps.digest);
  }

  /** The row after a unit; where it was not committed, the first answer again for the same decision, or why not. */
  async settled(request: RequestRow, result: CommitResult, same: (row: RequestRow) => boolean): Promise<RequestRow> {
    if (result.committed) return this.read(request.id);
    const now = await this.read(request.id);
    if (same(now)) return now;
    if (now.state === "pending" && now.expiresAt !== null && !isAfterNow(now.expiresAt, this.#deps.clock.now())) {
      await this.expire(now);
      throw lost(await this.read(request.id));
    }
    if (now.state === "pending" && result.failed.that === "desk") {
      const status = result.winner?.table === "desk" ? result.winner.row.status : "gone";
      const message = `Desk ${request.deskName} is ${status}; ${requestLabel(request.number)} still waits. Resume the desk first.`;
      throw new AppError("desk_not_active", message, { request: now });
    }
    throw lost(now);
  }

  /** Expires a request, if it is due by the store's clock, and tells the desk. */
  async expire(request: RequestRow): Promise<void> {
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
}

/** Why a call may not run, for whoever decides about it. */
export function cannotRun(check: Extract<RunCheck, { ok: false }>, request: RequestRow): AppError {
  return new AppError(check.code, `${requestLabel(request.number)} cannot run: ${check.reason}`, { request });
}

import { parseObject } from "#lib/core/canonical.ts";
import type { CoreDeps } from "#lib/core/deps.ts";
import type { LiveDesks } from "#lib/core/live-desks.ts";
import { ticketOf } from "#lib/core/new-requests.ts";
import { readArguments } from "#lib/core/read-arguments.ts";
import type { RequestRow } from "#lib/core/record.ts";
import { timeBox } from "#lib/core/time-box.ts";
import { requestLabel } from "#lib/core/user-requests-table.ts";
import type { UserRequests } from "#lib/core/user-requests.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { RequestView } from "#lib/protocol/views.ts";

/** Shows requests to people: from the record, and for one that waits with what its tool knows now. */
export class RequestViews {
  readonly #deps: CoreDeps;
  readonly #live: LiveDesks;
  readonly #requests: UserRequests;

  constructor(live: LiveDesks, requests: UserRequests, deps: CoreDeps) {
    this.#live = live;
    this.#requests = requests;
    this.#deps = deps;
  }

  /** `now`: also the ticket and the look-up as of now. */
  async view(row: RequestRow, now: boolean): Promise<RequestView> {
    const waits = row.state === "pending";
    const trigger = await this.#deps.store.trigger(row.triggerId);
    return {
      id: row.id,
      label: requestLabel(row.number),
      number: row.number,
      deskName: row.deskName,
      kind: row.kind,
      state: row.state,
      triggerId: row.triggerId,
      callId: row.callId,
      tool: row.tool,
      backend: row.backend,
      attempt: row.attempt,
      arguments: row.arguments,
      argumentsBeforeEdit: row.argumentsBeforeEdit,
      digest: waits && row.kind === "permission" ? this.#requests.digestOf(row) : null,
      reason: row.reason,
      ticket: row.ticket,
      ticketNow: now && waits && row.kind === "permission" ? await this.#ticketNow(row) : null,
      questions: row.questions,
      answers: row.answers,
      decidedBefore: await this.#decidedBefore(row),
      lookUp: now && waits && row.kind === "uncertain" ? await this.#lookUp(row) : null,
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      decidedBy: row.decidedBy,
      decidedAt: row.decidedAt,
      decision: row.decision,
      note: row.note,
      runCallId: row.runCallId,
      resultText: row.resultText,
      trigger: trigger && { kind: trigger.kind, from: trigger.from, text: trigger.text, createdAt: trigger.createdAt },
    };
  }

  #tool(row: RequestRow) {
    return this.#live.find(row.deskName)?.executor.registry.find(row.tool);
  }

  async #ticketNow(row: RequestRow): Promise<RequestView["ticketNow"]> {
    const tool = this.#tool(row);
    if (!tool) return null;
    const read = readArguments(tool, parseObject(row.arguments));
    return read.ok ? ticketOf(tool, read.value, row.deskName, this.#deps) : null;
  }

  async #lookUp(row: RequestRow): Promise<string> {
    const lookUp = this.#tool(row)?.lookUp;
    if (!lookUp) return `${row.tool} cannot be looked up; ask where it would have taken effect.`;
    const boxed = await timeBox(this.#deps.clock, limits.factsTimeoutMs, (signal) =>
      lookUp(row.idempotencyKey, { deskName: row.deskName, signal }),
    );
    if (boxed.in === "time") return boxed.value.text;
    return boxed.in === "timeout" ? "The look-up did not answer in time. Try again." : "The look-up failed. Try again.";
  }

  async #decidedBefore(row: RequestRow): Promise<RequestView["decidedBefore"]> {
    const before = row.decidedBeforeId === null ? null : await this.#deps.store.request(row.decidedBeforeId);
    if (!before) return null;
    return {
      requestId: before.id,
      label: requestLabel(before.number),
      state: before.state,
      by: before.decidedBy ?? "nobody",
      at: before.decidedAt ?? before.createdAt,
    };
  }
}

/** What waits, as people should take it up: uncertain calls first, then by the time that is left. */
export function byUrgency(a: RequestRow, b: RequestRow): number {
  if ((a.kind === "uncertain") !== (b.kind === "uncertain")) return a.kind === "uncertain" ? -1 : 1;
  const [left, right] = [a.expiresAt ?? a.createdAt, b.expiresAt ?? b.createdAt];
  return left < right ? -1 : left > right ? 1 : a.number - b.number;
}

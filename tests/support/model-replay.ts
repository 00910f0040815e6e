import { limits } from "#lib/protocol/limits.ts";
import type { DeskEvent, DeskEventOf } from "#lib/protocol/events.ts";
import type { CallRow, RequestRow, RuleRow } from "#lib/core/record.ts";
import { isAllowedChange, isFinal } from "#lib/core/user-requests-table.ts";
import type { DeskStatus, RequestKind, RequestState, Verdict } from "#lib/protocol/states.ts";

/** What the tables have, by id. */
export interface ModelTables {
  calls: ReadonlyMap<string, CallRow>;
  requests: ReadonlyMap<string, RequestRow>;
}

interface Waits {
  kind: RequestKind;
  state: RequestState;
  tool: string;
  deskName: string;
  /** Since when it has waited. */
  sinceMs: number;
  approvedMs: number;
}

const waitMs = { permission: 15 * 60_000, question: 24 * 60 * 60_000, uncertain: Number.POSITIVE_INFINITY };
/** What a write of these tools is where no rule matches; a `read` is allowed. */
const defaults: Record<string, Verdict> = { place_order: "hold", cancel_orders: "allow", get_quote: "allow" };
const strictness: Record<Verdict, number> = { allow: 0, hold: 1, deny: 2 };

/**
 * Reads a record's events from the first to the last and gives what sections 2 and 3 of the design do not allow: by the
 * events alone, but for what became of a call in the end.
 */
export class ModelReplay {
  readonly problems: string[] = [];
  readonly #tables: ModelTables;
  readonly #ordered: boolean;
  readonly #desks = new Map<string, DeskStatus>();
  readonly #rules = new Map<string, RuleRow>();
  readonly #requests = new Map<string, Waits>();
  readonly #ended = new Set<string>();
  readonly #seqs = new Map<string, number>();
  readonly #asked = new Set<string>();
  readonly #answered = new Set<string>();
  /** Calls that backends asked for and that have no result yet, with their triggers. */
  readonly #open = new Map<string, string>();
  #position = 0;

  /** @param ordered whether approved calls start in the order of the decisions: not where a start could not be recorded. */
  constructor(tables: ModelTables, ordered: boolean) {
    this.#tables = tables;
    this.#ordered = ordered;
  }

  read(events: readonly DeskEvent[]): string[] {
    for (const event of events) {
      this.#place(event);
      this.#event(event);
    }
    for (const id of this.#tables.calls.keys()) {
      if (!this.#asked.has(id) || !this.#answered.has(id))
        this.problems.push(`P3: call ${id} has no tool_call, or no tool_result`);
    }
    for (const [id, row] of this.#tables.requests) {
      const known = this.#requests.get(id);
      if (known?.state !== row.state)
        this.problems.push(`request ${id} is ${row.state}, its events say ${known?.state}`);
      if (row.state !== "pending" && !isFinal(row.kind, row.state))
        this.problems.push(`request ${id} came to rest as ${row.state}`);
    }
    return this.problems;
  }

  #place(event: DeskEvent): void {
    this.#position += 1;
    const seq = (this.#seqs.get(event.deskName) ?? 0) + 1;
    this.#seqs.set(event.deskName, seq);
    if (event.position !== this.#position || event.seq !== seq)
      this.#wrong(event, `is not at ${this.#position} and ${seq}`);
  }

  #event(event: DeskEvent): void {
    switch (event.kind) {
      case "desk_changed":
        this.#desks.set(event.deskName, event.payload.status);
        break;
      case "policy_changed":
        if (event.payload.change === "removed") this.#rules.delete(event.payload.ruleId);
        else this.#rules.set(event.payload.ruleId, event.payload.rule as unknown as RuleRow);
        break;
      case "turn_ended":
        this.#ended.add(event.payload.triggerId);
        break;
      case "turn_started":
        if (this.#desks.get(event.deskName) !== "active")
          this.#wrong(event, "a turn began on a desk that is not active");
        break;
      case "tool_call":
        this.#call(event);
        break;
      case "tool_result":
        if (!this.#asked.has(event.payload.callId)) this.#wrong(event, "a result before its call");
        if (this.#answered.has(event.payload.callId)) this.#wrong(event, "P3: a second result");
        this.#answered.add(event.payload.callId);
        this.#open.delete(event.payload.callId);
        break;
      case "backend_failed":
        if ([...this.#open.values()].includes(event.payload.triggerId))
          this.#wrong(event, "P8: handed over beside a call that runs");
        break;
      case "user_request":
        this.#requests.set(event.payload.requestId, {
          kind: event.payload.kind,
          state: "pending",
          tool: event.payload.tool,
          deskName: event.deskName,
          sinceMs: Date.parse(event.at),
          approvedMs: 0,
        });
        break;
      case "user_request_changed":
        this.#change(event);
        break;
      default:
    }
  }

  #change(event: DeskEventOf<"user_request_changed">): void {
    const { requestId, from, to } = event.payload;
    const request = this.#requests.get(requestId);
    if (!request) return this.#wrong(event, "a change of no request");
    if (request.state !== from || !isAllowedChange(request.kind, from, to)) {
      this.#wrong(event, `a ${request.kind} that is ${request.state} went from ${from} to ${to}`);
    }
    request.state = to;
    const atMs = Date.parse(event.at);
    const isPersons = to === "approved" || to === "denied" || to === "answered" || to === "dismissed";
    if (isPersons && atMs >= request.sinceMs + waitMs[request.kind]) this.#wrong(event, `${to} after it expired`);
    if (to === "expired" && atMs < request.sinceMs + waitMs[request.kind])
      this.#wrong(event, "expired before its time");
    if ((to === "approved" || to === "running") && this.#desks.get(event.deskName) !== "active") {
      this.#wrong(event, `${to} while the desk was not active`);
    }
    if (to === "running" && atMs >= request.approvedMs + limits.runByMs) this.#wrong(event, "started after its runBy");
    if (to === "running") this.#started(event, request);
    if (to === "approved") request.approvedMs = atMs;
    if (to === "pending") request.sinceMs = atMs;
  }

  /** A desk's approved calls run one by one, in the order of the decisions. */
  #started(event: DeskEventOf<"user_request_changed">, request: Waits): void {
    for (const other of this.#requests.values()) {
      if (other === request || other.deskName !== request.deskName || other.kind !== "permission") continue;
      if (other.state === "running") this.#wrong(event, "ran beside another approved call of its desk");
      // Decisions of the same millisecond have no order after a restart.
      const isEarlier = other.state === "approved" && other.approvedMs < request.approvedMs;
      if (isEarlier && this.#ordered) this.#wrong(event, "ran before one that was approved before it");
    }
  }

  /** What must hold at the moment at which a tool may start. */
  #call(event: DeskEventOf<"tool_call">): void {
    const { callId, triggerId, name, requestId } = event.payload;
    if (this.#asked.has(callId)) this.#wrong(event, "P3: a call that was recorded twice");
    this.#asked.add(callId);
    if (requestId === undefined) this.#open.set(callId, triggerId);
    const row = this.#tables.calls.get(callId);
    if (!row) return this.#wrong(event, "a call that is in no table");
    const ran = row.status === "succeeded" || row.status === "failed" || row.status === "uncertain";
    if (!ran || name === "ask_user") return;
    if (this.#desks.get(event.deskName) !== "active") this.#wrong(event, "ran while the desk was not active");
    if (this.#verdict(event.deskName, name) === "deny") this.#wrong(event, "P10: ran though a rule denies it");
    const request = requestId === undefined ? undefined : this.#requests.get(requestId);
    if (requestId !== undefined) {
      const carries = request?.kind === "permission" ? request.state === "running" : request?.state === "resolved";
      if (!carries) this.#wrong(event, `P4: carries out a request that is ${request?.state}`);
      return;
    }
    if (this.#ended.has(triggerId)) this.#wrong(event, "ran after its turn had ended");
    if (this.#verdict(event.deskName, name) !== "allow") this.#wrong(event, "P4: ran without permission");
    const uncertain = [...this.#requests.values()].some(
      (one) =>
        one.kind === "uncertain" && one.state === "pending" && one.deskName === event.deskName && one.tool === name,
    );
    if (uncertain && row.effect === "write") this.#wrong(event, "ran beside an uncertain call of its tool");
  }

  #verdict(deskName: string, tool: string): Verdict {
    const matching = [...this.#rules.values()].filter(
      (rule) => (rule.deskName === null || rule.deskName === deskName) && (rule.tool === "*" || rule.tool === tool),
    );
    if (matching.length === 0) return defaults[tool] ?? "hold";
    return matching.reduce<Verdict>(
      (most, { verdict }) => (strictness[verdict] > strictness[most] ? verdict : most),
      "allow",
    );
  }

  #wrong(event: DeskEvent, what: string): void {
    this.problems.push(`event ${event.position}, ${event.kind} ${JSON.stringify(event.payload)}: ${what}`);
  }
}

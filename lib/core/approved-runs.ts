import type { JsonObject } from "#lib/protocol/json.ts";
import { limits } from "#lib/protocol/limits.ts";
import { callIdentity } from "./call-identity.ts";
import { callEvent, changedEvent, newCall } from "./call-units.ts";
import { parseObject } from "./canonical.ts";
import type { CoreDeps } from "./deps.ts";
import { factsOf } from "./gate-question.ts";
import { outcomeTrigger } from "./outcome-triggers.ts";
import type { PermissionGate } from "./permission-gate.ts";
import { isoNow } from "./ports/clock.ts";
import type { CommitResult, Condition, Unit } from "./ports/unit.ts";
import { issuesText, readArguments } from "./read-arguments.ts";
import type { CallRow, RequestRow } from "./record.ts";
import { toolDigest, type ToolRegistry } from "./tool-registry.ts";
import type { Tool } from "./tool.ts";

/** What the check before a run finds. */
export type RunCheck =
  | { ok: true; tool: Tool; args: JsonObject; facts: JsonObject | null; policyVersion: number; verdictReason: string }
  | { ok: false; code: "tool_changed" | "refused_by_rule" | "invalid"; reason: string };

interface CheckParts {
  deskName: string;
  registry: ToolRegistry;
  gate: PermissionGate | null;
  deps: CoreDeps;
}

/**
 * Whether a call may run with a person's approval: its tool is there and as it was, its arguments are valid and already
 * in their normal form, and no rule denies it. The same check serves the decision and the run.
 */
export async function checkRun(
  parts: CheckParts,
  call: { tool: string; toolDigest: string | null; arguments: string },
): Promise<RunCheck> {
  const { deps, deskName, registry, gate } = parts;
  const tool = registry.find(call.tool);
  if (!tool) return { ok: false, code: "tool_changed", reason: `the desk has no tool ${call.tool} any more` };
  if (call.toolDigest !== null && toolDigest(tool, deps.digest) !== call.toolDigest) {
    return {
      ok: false,
      code: "tool_changed",
      reason: `${call.tool} is not the tool that was asked for: it has changed since`,
    };
  }
  const read = readArguments(tool, parseObject(call.arguments));
  if (!read.ok) return { ok: false, code: "invalid", reason: issuesText(tool.name, read.issues) };
  if (read.canonical !== call.arguments) {
    return { ok: false, code: "invalid", reason: `${tool.name} reads these arguments in another way now` };
  }
  const facts = await factsOf(tool, read.value, deskName, deps);
  const question = { deskName, tool, arguments: read.canonical, facts, uncertain: [], earlierAttempts: [] };
  const decision = gate
    ? await gate.decide(question)
    : { verdict: "hold" as const, reason: "", policyVersion: (await deps.store.policy()).version };
  if (decision.verdict === "deny") return { ok: false, code: "refused_by_rule", reason: decision.reason };
  return {
    ok: true,
    tool,
    args: read.value,
    facts,
    policyVersion: decision.policyVersion,
    verdictReason: decision.reason,
  };
}

/** The call that carries a request out: running as soon as its unit is committed. */
export function carryingCall(
  request: RequestRow,
  check: Extract<RunCheck, { ok: true }>,
  deps: Pick<CoreDeps, "ids" | "clock" | "digest">,
): CallRow {
  const at = isoNow(deps.clock);
  return {
    ...newCall({
      id: deps.ids.next(),
      deskName: request.deskName,
      triggerId: request.triggerId,
      attempt: request.attempt,
      backend: request.backend,
      name: request.tool,
      argumentsGiven: request.arguments,
      recordedAt: at,
    }),
    arguments: request.arguments,
    identity: callIdentity(request.deskName, check.tool, check.args, deps.digest),
    effect: check.tool.effect,
    facts: check.facts,
    verdict: "hold",
    verdictReason: `Approved by ${request.decidedBy ?? "nobody"}.`,
    status: "running",
    startedAt: at,
    requestId: request.id,
    idempotencyKey: request.idempotencyKey,
  };
}

/** The unit that sets an approved request running, with its new call. All is checked again inside it. */
export function approvedRunUnit(request: RequestRow, call: CallRow, policyVersion: number): Unit {
  const when: Condition[] = [
    { that: "request", id: request.id, state: ["approved"], startable: true, arguments: request.arguments },
    { that: "desk", name: request.deskName, status: ["active"] },
    { that: "trigger", id: request.triggerId, notStopped: true },
    { that: "policy", version: policyVersion },
  ];
  return {
    name: "approvedRun",
    when,
    changes: [
      { update: "request", key: request.id, set: { state: "running", runCallId: call.id } },
      { insert: "call", row: call },
    ],
    events: [
      changedEvent(request, {
        from: "approved",
        to: "running",
        ...(request.decidedBy !== null && { by: request.decidedBy }),
      }),
      callEvent(call, parseObject(request.arguments)),
    ],
  };
}

/** Why an approval is void that was not carried out by its `runBy`. */
export const tooLate = `it did not start within ${limits.runByMs / 1000} s of the decision`;

/** Why a run's unit was not committed: void for a reason, to be checked again, or not to run at all. */
export function failedStart(result: Extract<CommitResult, { committed: false }>): { void: string } | "again" | "gone" {
  const { failed, winner } = result;
  if (failed.that === "policy") return "again";
  if (failed.that === "desk") return { void: `the desk is ${winner?.table === "desk" ? winner.row.status : "gone"}` };
  if (failed.that === "request" && winner?.table === "request" && winner.row.state === "approved") {
    return { void: tooLate };
  }
  return "gone";
}

/** The unit that makes an approval void: the request waits again, with a fresh expiry, and the desk is told. */
export function voidUnit(
  request: RequestRow,
  reason: string,
  currentToolDigest: string | null,
  deps: Pick<CoreDeps, "ids" | "clock" | "waits">,
): Unit {
  const at = isoNow(deps.clock);
  const told = outcomeTrigger(request, deps.ids.next(), at, {
    state: "voided",
    by: null,
    note: reason,
    resultText: null,
  });
  return {
    name: "void",
    when: [{ that: "request", id: request.id, state: ["approved"] }],
    changes: [
      {
        update: "request",
        key: request.id,
        set: {
          state: "pending",
          expiresAt: new Date(deps.clock.now() + deps.waits.holdMs).toISOString(),
          decidedBy: null,
          decidedAt: null,
          decision: null,
          note: null,
          runBy: null,
          ...(currentToolDigest !== null && { toolDigest: currentToolDigest }),
          reason: `Approved by ${request.decidedBy ?? "nobody"} at ${request.decidedAt ?? "?"}, but not run: ${reason}.`,
        },
      },
      told.change,
    ],
    events: [changedEvent(request, { from: "approved", to: "pending", by: "deskboard", reason }), told.event],
  };
}

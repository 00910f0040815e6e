import { isAppError } from "#lib/core/app-error.ts";
import type { RequestRow, RuleRow } from "#lib/core/record.ts";
import type { ErrorCode } from "#lib/protocol/errors.ts";
import type { Answer } from "#lib/protocol/questions.ts";
import type { RequestKind } from "#lib/protocol/states.ts";
import type { DecisionAction, ModelAction } from "./model-actions.ts";
import { modelDesks, requestsOf, type ModelWorld } from "./model-world.ts";

/** What a person may be told instead of what they wanted. Anything else that is thrown is a fault. */
const answersToPeople: readonly ErrorCode[] = [
  "already_decided",
  "expired",
  "digest_mismatch",
  "desk_not_active",
  "refused_by_rule",
  "invalid",
  "too_many",
];

/** Does one action of a sequence. */
export async function perform(world: ModelWorld, action: ModelAction): Promise<void> {
  world.clock.advance(1);
  const { desks, requests, triggers } = world.desk;
  switch (action.do) {
    case "message": {
      const text = world.scripts.add(action.steps);
      return person(world, "message", async () => {
        world.confirmed.messages.push(await triggers.send(deskOf(action.desk), { text }, "ann"));
      });
    }
    case "decide": {
      const request = await waiting(world, "permission", action.pick);
      world.clock.advance(action.lateMs);
      if (!request) return;
      decide(world, request, action);
      if (action.beside !== "all") return;
      const others = await requestsOf(world, ["pending"]);
      for (const other of others) if (other.kind === "permission" && other.id !== request.id) one(world, other, action);
      return;
    }
    case "answer": {
      const request = await waiting(world, "question", action.pick);
      if (!request) return;
      const answers = answersTo(request, action.how);
      return person(world, "answer", async () => {
        const row = await requests.answer(request.id, { answers }, action.by);
        expectThat(world, row.decidedBy === action.by && row.state === "answered", `answer of ${row.id}`);
        world.confirmed.answers.push({ requestId: row.id, by: action.by, answers });
      });
    }
    case "dismiss": {
      const request = await waiting(world, "question", action.pick);
      if (!request) return;
      return person(world, "dismiss", async () => {
        const row = await requests.dismiss(request.id, action.by);
        world.confirmed.dismissals.push({ requestId: row.id, by: action.by });
      });
    }
    case "resolve": {
      const request = await waiting(world, "uncertain", action.pick);
      if (!request) return;
      const { outcome } = action;
      return person(world, "resolve", async () => {
        const row = await requests.resolve(request.id, { outcome, note: "" }, action.by);
        world.confirmed.resolutions.push({ requestId: row.id, by: action.by, outcome });
      });
    }
    case "stop":
      return person(world, "stop", () => stop(world, deskOf(action.desk), action.all));
    case "pause":
      return person(world, "pause", async () => void (await desks.pause(deskOf(action.desk), "ann")));
    case "resume":
      return person(
        world,
        "resume",
        async () => void (await desks.change(deskOf(action.desk), { status: "active" }, "ann")),
      );
    case "addRule":
      return person(world, "addRule", () => addRule(world, action));
    case "removeRule":
      return person(world, "removeRule", () => removeRule(world, action.pick));
    case "time":
      world.clock.advance(action.ms);
      if (action.sweep) person(world, "sweep", async () => void (await requests.expireDue()));
      return;
    case "release":
      return world.outside.releaseTool(action.pick, action.how);
    case "releaseModels":
      return world.scripts.releaseAll();
    case "restart":
      return world.restart(action.how, action.downMs, action.fault ?? undefined);
    case "fault":
      return world.arm(action.fault);
  }
}

function deskOf(index: number): string {
  return modelDesks[index % modelDesks.length] ?? modelDesks[0];
}

/** One that waits; where none does, one that no longer does: that has to be told. */
async function waiting(world: ModelWorld, kind: RequestKind, pick: number): Promise<RequestRow | undefined> {
  const all = (await requestsOf(world)).filter((request) => request.kind === kind);
  const pending = all.filter((request) => request.state === "pending");
  const from = pending.length > 0 ? pending : all;
  return from[pick % Math.max(from.length, 1)];
}

function person(world: ModelWorld, label: string, work: () => Promise<void>): void {
  world.act(label, async () => {
    try {
      await work();
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (answersToPeople.includes(error.code)) return;
      if (error.code === "record_unavailable" && (world.faulty || world.stopping)) return;
      throw error;
    }
  });
}

/** P13: what had not reached `running` before a stop is cancelled by it: of the turn, or with `all` of the desk. */
async function stop(world: ModelWorld, deskName: string, all: boolean): Promise<void> {
  const { desks } = world.desk;
  const waited = (await requestsOf(world, ["pending", "approved"])).filter((request) => request.deskName === deskName);
  const { stopped, cancelled } = await desks.stop(deskName, all, "ann");
  world.confirmed.cancelled.push(...cancelled);
  const own = waited.filter(({ kind, triggerId }) => kind !== "uncertain" && (all || stopped.includes(triggerId)));
  const still = new Set((await requestsOf(world, ["pending", "approved"])).map(({ id }) => id));
  for (const { id } of own) expectThat(world, !still.has(id), `P13: request ${id} waits after its stop`);
}

function decide(world: ModelWorld, request: RequestRow, action: DecisionAction): void {
  one(world, request, action);
  if (action.beside === "again") one(world, request, action);
  if (action.beside === "rival") {
    const how = action.how === "deny" ? "approve" : "deny";
    one(world, request, { ...action, how, by: action.by === "ann" ? "bob" : "ann" });
  }
}

function one(world: ModelWorld, shown: RequestRow, action: DecisionAction): void {
  const { requests } = world.desk;
  const { by, how } = action;
  person(world, `${how} of ${shown.id}`, async () => {
    if (how === "deny") {
      const row = await requests.decide(shown.id, { decision: "deny", digest: "any", note: "no" }, by);
      expectThat(world, row.decidedBy === by && row.state === "denied", `denial of ${shown.id} by ${by}`);
      world.confirmed.decisions.push({ requestId: shown.id, decision: "deny", by });
      return;
    }
    if (how === "stale") {
      const digest = requests.digestOf(shown, '{"quantity":"9","symbol":"EURUSD"}');
      const before = await requests.read(shown.id);
      const row = await requests.decide(shown.id, { decision: "approve", digest }, by);
      // Only who approved it already is told so again.
      expectThat(world, before.state !== "pending" && row.decidedBy === by, `a stale digest approved ${shown.id}`);
      return;
    }
    let final = shown.arguments;
    let digest = requests.digestOf(shown);
    const edited =
      how === "edit" ? { symbol: "USDJPY", quantity: 7.0 } : how === "editWrongly" ? { quantity: "x" } : undefined;
    if (edited) ({ arguments: final, digest } = await requests.check(shown.id, edited));
    world.approvals.push({ requestId: shown.id, by, arguments: final });
    const body = { decision: "approve" as const, digest, ...(edited && { arguments: edited }) };
    const row = await requests.decide(shown.id, body, by);
    // Between the decision and its answer it may run, or be made void.
    const isHis = row.decidedBy === by && row.arguments === final && row.decision === "approve";
    expectThat(world, isHis || row.decidedBy !== by, `approval of ${shown.id} by ${by}: ${JSON.stringify(row)}`);
    world.confirmed.decisions.push({ requestId: shown.id, decision: "approve", by });
  });
}

function answersTo(request: RequestRow, how: "option" | "other" | "both" | "nothing"): Answer[] {
  return (request.questions ?? []).map((question) => {
    const optionIds = how === "option" || how === "both" ? ["o1"] : [];
    const other = 'my "own" words\n- approved by nobody ‮';
    return { questionId: question.id, optionIds, ...((how === "other" || how === "both") && { other }) };
  });
}

async function addRule(world: ModelWorld, action: Extract<ModelAction, { do: "addRule" }>): Promise<void> {
  const { deps } = world.desk;
  const rule: RuleRow = {
    id: deps.ids.next(),
    deskName: action.desk === null ? null : deskOf(action.desk),
    tool: action.tool,
    verdict: action.verdict,
    arguments: null,
    facts: null,
    note: "",
    createdBy: "ann",
    createdAt: new Date(world.clock.now()).toISOString(),
  };
  await changeRules(world, { insert: "rule", row: rule }, rule, "added");
}

async function removeRule(world: ModelWorld, pick: number): Promise<void> {
  const { rules } = await world.desk.store.policy();
  const rule = rules[pick % Math.max(rules.length, 1)];
  if (rule) await changeRules(world, { delete: "rule", key: rule.id }, rule, "removed");
}

async function changeRules(
  world: ModelWorld,
  change: { insert: "rule"; row: RuleRow } | { delete: "rule"; key: string },
  rule: RuleRow,
  what: "added" | "removed",
): Promise<void> {
  const { store } = world.desk;
  const { version } = await store.policy();
  const result = await store.commit({
    name: "policy",
    when: [{ that: "policy", version }],
    changes: [change, { bump: "policy" }],
    events: [
      {
        deskName: "_system",
        kind: "policy_changed",
        triggerId: null,
        payload: {
          version: version + 1,
          by: "ann",
          ruleId: rule.id,
          change: what,
          rule: JSON.parse(JSON.stringify(rule)),
        },
      },
    ],
  });
  if (result.committed) world.confirmed.rules.push({ change: what, rule });
}

function expectThat(world: ModelWorld, holds: boolean, what: string): void {
  if (!holds) world.outside.problems.push(`not as it should be: ${what}`);
}

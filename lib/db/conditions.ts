import { isAfterNow } from "#lib/core/ports/clock.ts";
import type { Condition, WinningRow } from "#lib/core/ports/unit.ts";
import type { DeskRow, RequestRow, TriggerRow } from "#lib/core/record.ts";
import type { Prisma } from "./generated/sqlite/client.ts";
import { fromStoredRow } from "./rows.ts";
import { toStoredText } from "./stored-text.ts";

type Reader = Prisma.TransactionClient;

/** A condition that does not hold, and the row that made it fail. */
export interface Conflict {
  failed: Condition;
  winner: WinningRow | null;
}

/** The first condition that does not hold, or null. Reads only; rows are judged here, not by the database. */
export async function firstConflict(
  reader: Reader,
  when: readonly Condition[],
  nowMs: number,
): Promise<Conflict | null> {
  for (const condition of when) {
    const { holds, winner } = await judge(reader, condition, nowMs);
    if (!holds) return { failed: condition, winner };
  }
  return null;
}

interface Judgement {
  holds: boolean;
  winner: WinningRow | null;
}

type Named<That extends Condition["that"]> = Extract<Condition, { that: That }>;

async function judge(reader: Reader, condition: Condition, nowMs: number): Promise<Judgement> {
  const judgeThat = judges[condition.that] as (
    reader: Reader,
    condition: Condition,
    nowMs: number,
  ) => Promise<Judgement>;
  return await judgeThat(reader, condition, nowMs);
}

const judges: {
  [That in Condition["that"]]: (reader: Reader, condition: Named<That>, nowMs: number) => Promise<Judgement>;
} = {
  async desk(reader, { name, status }) {
    const row = await readDesk(reader, name);
    return { holds: row !== null && status.includes(row.status), winner: row && { table: "desk", row } };
  },

  async noDesk(reader, { name }) {
    const row = await readDesk(reader, name);
    return { holds: row === null, winner: row && { table: "desk", row } };
  },

  async attemptOpen(reader, { triggerId, attempt }) {
    return await judgeTrigger(
      reader,
      triggerId,
      (row) => row.state === "running" && row.attemptOpen && row.attempt === attempt && row.stoppedAt === null,
    );
  },

  async trigger(reader, { id, state, notStopped }) {
    return await judgeTrigger(
      reader,
      id,
      (row) => (state === undefined || state.includes(row.state)) && (notStopped !== true || row.stoppedAt === null),
    );
  },

  async noClientId(reader, { deskName, clientId }) {
    const key = { deskName: toStoredText(deskName), clientId: toStoredText(clientId) };
    const stored = await reader.trigger.findUnique({ where: { deskName_clientId: key } });
    const winner = stored && ({ table: "trigger", row: fromStoredRow("trigger", stored) } as const);
    return { holds: stored === null, winner };
  },

  async request(reader, condition, nowMs) {
    const stored = await reader.userRequest.findUnique({ where: { id: toStoredText(condition.id) } });
    const row = stored && fromStoredRow("request", stored);
    return { holds: row !== null && requestHolds(condition, row, nowMs), winner: row && { table: "request", row } };
  },

  async call(reader, { id, status }) {
    const stored = await reader.toolCall.findUnique({ where: { id: toStoredText(id) } });
    const row = stored && fromStoredRow("call", stored);
    return { holds: row !== null && status.includes(row.status), winner: row && { table: "call", row } };
  },

  async policy(reader, { version: wanted }) {
    const policy = await reader.policy.findUnique({ where: { id: 1 } });
    const version = policy?.version ?? 0;
    return { holds: version === wanted, winner: { table: "policy", version } };
  },

  async rule(reader, { id }) {
    const rule = await reader.policyRule.findUnique({ where: { id: toStoredText(id) } });
    return { holds: rule !== null, winner: null };
  },

  async pendingRequests(reader, { deskName, below }) {
    const count = await reader.userRequest.count({
      where: { deskName: toStoredText(deskName), state: "pending", kind: { in: ["question", "permission"] } },
    });
    return { holds: count < below, winner: { table: "count", count } };
  },

  async queuedTriggers(reader, { deskName, below }) {
    const count = await reader.trigger.count({ where: { deskName: toStoredText(deskName), state: "queued" } });
    return { holds: count < below, winner: { table: "count", count } };
  },

  async noUncertain(reader, { deskName, tool }) {
    const stored = await reader.userRequest.findFirst({
      where: { deskName: toStoredText(deskName), state: "pending", kind: "uncertain", tool: toStoredText(tool) },
      orderBy: { id: "asc" },
    });
    const winner = stored && ({ table: "request", row: fromStoredRow("request", stored) } as const);
    return { holds: stored === null, winner };
  },

  async noPaperOrder(reader, { key }) {
    const stored = await reader.paperOrder.findUnique({ where: { key: toStoredText(key) } });
    const winner = stored && ({ table: "paperOrder", row: fromStoredRow("paperOrder", stored) } as const);
    return { holds: stored === null, winner };
  },
};

async function readDesk(reader: Reader, name: string): Promise<DeskRow | null> {
  const stored = await reader.desk.findUnique({ where: { name: toStoredText(name) } });
  return stored && fromStoredRow("desk", stored);
}

async function judgeTrigger(reader: Reader, id: string, fits: (row: TriggerRow) => boolean): Promise<Judgement> {
  const stored = await reader.trigger.findUnique({ where: { id: toStoredText(id) } });
  const row = stored && fromStoredRow("trigger", stored);
  return { holds: row !== null && fits(row), winner: row && { table: "trigger", row } };
}

function requestHolds(condition: Named<"request">, row: RequestRow, nowMs: number): boolean {
  const isAlive = row.expiresAt === null || isAfterNow(row.expiresAt, nowMs);
  if (!condition.state.includes(row.state)) return false;
  if (condition.alive === true && !isAlive) return false;
  if (condition.expired === true && isAlive) return false;
  if (condition.startable === true && !isAfterNow(row.runBy, nowMs)) return false;
  return condition.arguments === undefined || condition.arguments === row.arguments;
}

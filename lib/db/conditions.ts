import { isAfterNow } from "#lib/core/ports/clock.ts";
import type { Condition, WinningRow } from "#lib/core/ports/unit.ts";
import type { CallRow, RequestRow, Rows, TriggerRow } from "#lib/core/record.ts";
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

async function judge(reader: Reader, condition: Condition, nowMs: number): Promise<Judgement> {
  switch (condition.that) {
    case "desk": {
      const row = await readDesk(reader, condition.name);
      return { holds: row !== null && condition.status.includes(row.status), winner: row && { table: "desk", row } };
    }
    case "noDesk": {
      const row = await readDesk(reader, condition.name);
      return { holds: row === null, winner: row && { table: "desk", row } };
    }
    case "attemptOpen":
    case "trigger":
    case "noClientId":
      return await judgeTrigger(reader, condition);
    case "request": {
      const stored = await reader.userRequest.findUnique({ where: { id: toStoredText(condition.id) } });
      const row = stored && fromStoredRow("request", stored);
      return { holds: row !== null && requestHolds(condition, row, nowMs), winner: row && { table: "request", row } };
    }
    case "call": {
      const stored = await reader.toolCall.findUnique({ where: { id: toStoredText(condition.id) } });
      const row: CallRow | null = stored && fromStoredRow("call", stored);
      return { holds: row !== null && condition.status.includes(row.status), winner: row && { table: "call", row } };
    }
    case "noUncertain": {
      const stored = await reader.userRequest.findFirst({
        where: {
          deskName: toStoredText(condition.deskName),
          state: "pending",
          kind: "uncertain",
          tool: toStoredText(condition.tool),
        },
        orderBy: { id: "asc" },
      });
      const row = stored && fromStoredRow("request", stored);
      return { holds: row === null, winner: row && { table: "request", row } };
    }
    case "noPaperOrder": {
      const stored = await reader.paperOrder.findUnique({ where: { key: toStoredText(condition.key) } });
      const row: Rows["paperOrder"] | null = stored && fromStoredRow("paperOrder", stored);
      return { holds: row === null, winner: row && { table: "paperOrder", row } };
    }
    case "policy": {
      const policy = await reader.policy.findUnique({ where: { id: 1 } });
      const version = policy?.version ?? 0;
      return { holds: version === condition.version, winner: { table: "policy", version } };
    }
    case "rule": {
      const rule = await reader.policyRule.findUnique({ where: { id: toStoredText(condition.id) } });
      return { holds: rule !== null, winner: null };
    }
    case "pendingRequests": {
      const count = await reader.userRequest.count({
        where: {
          deskName: toStoredText(condition.deskName),
          state: "pending",
          kind: { in: ["question", "permission"] },
        },
      });
      return { holds: count < condition.below, winner: { table: "count", count } };
    }
    case "queuedTriggers": {
      const count = await reader.trigger.count({
        where: { deskName: toStoredText(condition.deskName), state: "queued" },
      });
      return { holds: count < condition.below, winner: { table: "count", count } };
    }
  }
}

async function readDesk(reader: Reader, name: string): Promise<Rows["desk"] | null> {
  const stored = await reader.desk.findUnique({ where: { name: toStoredText(name) } });
  return stored && fromStoredRow("desk", stored);
}

async function judgeTrigger(
  reader: Reader,
  condition: Extract<Condition, { that: "attemptOpen" | "trigger" | "noClientId" }>,
): Promise<Judgement> {
  if (condition.that === "noClientId") {
    const { deskName, clientId } = condition;
    const where = { deskName: toStoredText(deskName), clientId: toStoredText(clientId) };
    const found = await reader.trigger.findUnique({ where: { deskName_clientId: where } });
    const winner = found && ({ table: "trigger", row: fromStoredRow("trigger", found) } as const);
    return { holds: found === null, winner };
  }
  const id = condition.that === "trigger" ? condition.id : condition.triggerId;
  const stored = await reader.trigger.findUnique({ where: { id: toStoredText(id) } });
  const row: TriggerRow | null = stored && fromStoredRow("trigger", stored);
  if (row === null) return { holds: false, winner: null };
  const holds =
    condition.that === "attemptOpen"
      ? row.state === "running" && row.attemptOpen && row.attempt === condition.attempt && row.stoppedAt === null
      : (condition.state === undefined || condition.state.includes(row.state)) &&
        (condition.notStopped !== true || row.stoppedAt === null);
  return { holds, winner: { table: "trigger", row } };
}

function requestHolds(
  condition: Extract<Condition, { that: "request" }>,
  row: RequestRow,
  nowMs: number,
): boolean {
  const isAlive = row.expiresAt === null || isAfterNow(row.expiresAt, nowMs);
  if (!condition.state.includes(row.state)) return false;
  if (condition.alive === true && !isAlive) return false;
  if (condition.expired === true && isAlive) return false;
  if (condition.startable === true && !isAfterNow(row.runBy, nowMs)) return false;
  return condition.arguments === undefined || condition.arguments === row.arguments;
}

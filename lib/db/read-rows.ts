import type { CallQuery, TriggerQuery } from "#lib/core/ports/store.ts";
import type { CallRow, TriggerRow } from "#lib/core/record.ts";
import type { Prisma, PrismaClient } from "./generated/sqlite/client.ts";
import { fromStoredRow } from "./rows.ts";
import { toStoredText } from "./stored-text.ts";

/** The triggers that match. */
export async function readTriggers(client: PrismaClient, query: TriggerQuery): Promise<TriggerRow[]> {
  const found = await client.trigger.findMany({
    where: triggersWhere(query),
    orderBy: query.order === "next" ? [{ priority: "asc" }, { id: "asc" }] : { id: "desc" },
    take: query.limit,
  });
  return found.map((stored) => fromStoredRow("trigger", stored));
}

/** How many triggers match. */
export async function countTriggers(
  client: PrismaClient,
  query: Pick<TriggerQuery, "deskName" | "states">,
): Promise<number> {
  return await client.trigger.count({ where: triggersWhere(query) });
}

function triggersWhere(query: Pick<TriggerQuery, "deskName" | "states">): Prisma.TriggerWhereInput {
  const { deskName, states } = query;
  return {
    ...(deskName === undefined ? {} : { deskName: toStoredText(deskName) }),
    ...(states === undefined ? {} : { state: { in: [...states] } }),
  };
}

/** The calls that match. */
export async function readCalls(client: PrismaClient, query: CallQuery): Promise<CallRow[]> {
  const { deskName, triggerId, name, statuses, requestId, before } = query;
  const found = await client.toolCall.findMany({
    where: {
      ...(deskName === undefined ? {} : { deskName: toStoredText(deskName) }),
      ...(triggerId === undefined ? {} : { triggerId: toStoredText(triggerId) }),
      ...(name === undefined ? {} : { name: toStoredText(name) }),
      ...(requestId === undefined ? {} : { requestId: toStoredText(requestId) }),
      ...(statuses === undefined ? {} : { status: { in: [...statuses] } }),
      ...(before === undefined ? {} : { id: { lt: toStoredText(before) } }),
    },
    orderBy: { id: query.order === "oldest" ? "asc" : "desc" },
    take: query.limit,
  });
  return found.map((stored) => fromStoredRow("call", stored));
}

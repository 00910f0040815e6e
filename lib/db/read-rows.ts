import type { CallQuery, TriggerQuery } from "#lib/core/ports/store.ts";
import type { CallRow, TriggerRow } from "#lib/core/record.ts";
import type { Prisma, PrismaClient, Trigger } from "./generated/sqlite/client.ts";
import { byId, readMerged } from "./read-merged.ts";
import { fromStoredRow } from "./rows.ts";
import { toStoredText } from "./stored-text.ts";

/** The triggers that match. */
export async function readTriggers(client: PrismaClient, query: TriggerQuery): Promise<TriggerRow[]> {
  const { deskName, states, order, limit } = query;
  const byAge = byId(order === "next" ? "oldest" : "newest");
  const compare = (one: Trigger, other: Trigger) =>
    (order === "next" ? one.priority - other.priority : 0) || byAge(one, other);
  const found = await readMerged(states, limit, compare, (state) =>
    client.trigger.findMany({
      where: triggersWhere({ deskName, states: state && [state] }),
      orderBy: order === "next" ? [{ priority: "asc" }, { id: "asc" }] : { id: "desc" },
      take: limit,
    }),
  );
  return found.map((stored) => fromStoredRow("trigger", stored));
}

/** How many triggers match. */
export async function countTriggers(
  client: PrismaClient,
  query: Pick<TriggerQuery, "deskName" | "states">,
): Promise<number> {
  return await client.trigger.count({ where: triggersWhere(query) });
}

function triggersWhere({
  deskName,
  states,
}: {
  deskName?: string | undefined;
  states?: readonly string[] | undefined;
}): Prisma.TriggerWhereInput {
  return {
    ...(deskName === undefined ? {} : { deskName: toStoredText(deskName) }),
    ...(states === undefined ? {} : { state: { in: [...states] } }),
  };
}

/** The calls that match. */
export async function readCalls(client: PrismaClient, query: CallQuery): Promise<CallRow[]> {
  const { deskName, triggerId, name, statuses, requestId, before, order, limit } = query;
  const found = await readMerged(statuses, limit, byId(order), (status) =>
    client.toolCall.findMany({
      where: {
        ...(deskName === undefined ? {} : { deskName: toStoredText(deskName) }),
        ...(triggerId === undefined ? {} : { triggerId: toStoredText(triggerId) }),
        ...(name === undefined ? {} : { name: toStoredText(name) }),
        ...(requestId === undefined ? {} : { requestId: toStoredText(requestId) }),
        ...(status === undefined ? {} : { status }),
        ...(before === undefined ? {} : { id: { lt: toStoredText(before) } }),
      },
      orderBy: { id: order === "oldest" ? "asc" : "desc" },
      take: limit,
    }),
  );
  return found.map((stored) => fromStoredRow("call", stored));
}

import { isAfterNow } from "#lib/core/ports/clock.ts";
import type { RequestQuery } from "#lib/core/ports/store.ts";
import type { RequestRow } from "#lib/core/record.ts";
import type { Prisma, PrismaClient } from "./generated/sqlite/client.ts";
import { byId, readMerged } from "./read-merged.ts";
import { fromStoredRow } from "./rows.ts";
import { toStoredText } from "./stored-text.ts";

/** The requests that match. */
export async function readRequests(client: PrismaClient, query: RequestQuery): Promise<RequestRow[]> {
  const { order, limit, expiredAt, states } = query;
  const orderBy = { id: order === "oldest" ? "asc" : "desc" } as const;
  const found = await readMerged(states, limit, byId(order), (state) => {
    const where = requestsWhere({ ...query, states: state && [state] });
    return expiredAt === undefined
      ? client.userRequest.findMany({ where, orderBy, take: limit })
      : findExpired(client, where, orderBy, expiredAt, limit);
  });
  return found.map((stored) => fromStoredRow("request", stored));
}

/** How many requests match. */
export async function countRequests(
  client: PrismaClient,
  query: Pick<RequestQuery, "deskName" | "kinds" | "states" | "tool">,
): Promise<number> {
  return await client.userRequest.count({ where: requestsWhere(query) });
}

// Whether a time can be read is decided here, not by the database: `'abc' > '2026'` is true in both.
async function findExpired(
  client: PrismaClient,
  where: Prisma.UserRequestWhereInput,
  orderBy: { id: "asc" | "desc" },
  expiredAt: string,
  limit: number,
) {
  const candidates = await client.userRequest.findMany({
    where: { ...where, expiresAt: { not: null } },
    orderBy,
    select: { id: true, expiresAt: true },
  });
  const nowMs = Date.parse(expiredAt);
  const ids = candidates.filter((row) => !isAfterNow(row.expiresAt, nowMs)).map((row) => row.id);
  return await client.userRequest.findMany({ where: { id: { in: ids.slice(0, limit) } }, orderBy });
}

type Filter = { [Name in keyof RequestQuery]?: RequestQuery[Name] | undefined };

function requestsWhere(query: Filter): Prisma.UserRequestWhereInput {
  const { deskName, triggerId, tool, identity, kinds, states, decidedSince } = query;
  return {
    ...(deskName === undefined ? {} : { deskName: toStoredText(deskName) }),
    ...(triggerId === undefined ? {} : { triggerId: toStoredText(triggerId) }),
    ...(tool === undefined ? {} : { tool: toStoredText(tool) }),
    ...(identity === undefined ? {} : { identity: toStoredText(identity) }),
    ...(kinds === undefined ? {} : { kind: { in: [...kinds] } }),
    ...(states === undefined ? {} : { state: { in: [...states] } }),
    ...(decidedSince === undefined ? {} : { decidedAt: { gte: decidedSince } }),
  };
}

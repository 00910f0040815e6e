import { type PrismaClient, Prisma } from "#lib/db/generated/sqlite/client.ts";
import type { StoredEvent } from "#lib/db/chain-heads.ts";

type Statements = Pick<PrismaClient, "$executeRaw" | "$queryRaw">;

/** Inserts the events of a whole group with one statement and one parameter: hot, and Prisma's own costs far more. */
export async function insertEvents(client: Statements, rows: readonly StoredEvent[]): Promise<void> {
  const json = JSON.stringify(
    rows.map((row) => [
      row.position,
      row.deskName,
      row.seq,
      row.kind,
      row.at,
      row.triggerId,
      row.payload,
      row.previousHash,
      row.hash,
      row.tool,
      row.subject,
      row.bytes,
    ]),
  );
  await client.$executeRaw`
    INSERT INTO "Event" ("position", "deskName", "seq", "kind", "at", "triggerId", "payload", "previousHash", "hash",
      "tool", "subject", "bytes")
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
      value ->> 8, value ->> 9, value ->> 10, value ->> 11
    FROM json_each(${json})`;
}

export interface EventSelection {
  desk?: string;
  kinds?: readonly string[];
  tool?: string;
  triggerId?: string;
  /** As it stands in the payload's JSON text. */
  text?: string;
  after?: number;
  before?: number;
  /** Most rows. */
  limit: number;
}

/**
 * Positions and weights of the events that match, in the order of reading: upwards from `after`, else downwards. Each
 * kind is read from an index of its own and then merged, so that no read sorts more than it gives.
 */
export async function selectPositions(
  client: Statements,
  selection: EventSelection,
): Promise<{ position: number; bytes: number }[]> {
  const { kinds, limit } = selection;
  const direction = selection.after === undefined ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const end = Prisma.sql`ORDER BY "position" ${direction} LIMIT ${limit}`;
  const part = (kind: string | null) => Prisma.sql`SELECT * FROM (SELECT "position", "bytes" FROM "Event"
    WHERE ${Prisma.join(conditions(selection, kind), " AND ")} ${end})`;
  const parts = kinds === undefined ? [part(null)] : kinds.map(part);
  if (parts.length === 0) return [];
  const rows = await client.$queryRaw<{ position: bigint; bytes: number }[]>`
    ${Prisma.join(parts, " UNION ALL ")} ${end}`;
  return rows.map((row) => ({ position: Number(row.position), bytes: row.bytes }));
}

function conditions(selection: EventSelection, kind: string | null): Prisma.Sql[] {
  const { desk, tool, triggerId, text, after, before } = selection;
  const found: Prisma.Sql[] = [];
  if (after !== undefined) found.push(Prisma.sql`"position" > ${after}`);
  if (before !== undefined) found.push(Prisma.sql`"position" < ${before}`);
  // The narrowest filter chooses the index; a plus keeps SQLite from choosing another one for the rest.
  if (triggerId !== undefined) found.push(Prisma.sql`"triggerId" = ${triggerId}`);
  if (tool !== undefined)
    found.push(triggerId === undefined ? Prisma.sql`"tool" = ${tool}` : Prisma.sql`+"tool" = ${tool}`);
  const isNarrow = triggerId !== undefined || tool !== undefined;
  if (desk !== undefined) found.push(isNarrow ? Prisma.sql`+"deskName" = ${desk}` : Prisma.sql`"deskName" = ${desk}`);
  if (kind !== null) found.push(isNarrow ? Prisma.sql`+"kind" = ${kind}` : Prisma.sql`"kind" = ${kind}`);
  if (text !== undefined) {
    const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    found.push(Prisma.sql`"payload" LIKE ${pattern} ESCAPE '\\'`);
  }
  return found.length === 0 ? [Prisma.sql`1 = 1`] : found;
}

/** The last event of each desk. */
export async function selectHeads(
  client: Statements,
): Promise<{ deskName: string; position: bigint; seq: bigint; hash: string }[]> {
  // Walks from desk to desk by the index: one step a desk, however long their chains are.
  return await client.$queryRaw`
    WITH RECURSIVE "desks"("name") AS (
      SELECT MIN("deskName") FROM "Event"
      UNION ALL
      SELECT (SELECT MIN("deskName") FROM "Event" WHERE "deskName" > "desks"."name") FROM "desks"
      WHERE "desks"."name" IS NOT NULL
    )
    SELECT "deskName", "position", "seq", "hash" FROM "desks" JOIN "Event" ON "deskName" = "desks"."name"
      AND "seq" = (SELECT MAX("seq") FROM "Event" WHERE "deskName" = "desks"."name")
    ORDER BY "position"`;
}

import { isAfterNow } from "#lib/core/ports/clock.ts";
import type { Condition, WinningRow } from "#lib/core/ports/unit.ts";
import { Prisma } from "./generated/sqlite/client.ts";
import { toStoredText } from "./stored-text.ts";
import { readWinner } from "./winners.ts";

type Reader = Prisma.TransactionClient;
type Named<That extends Condition["that"]> = Extract<Condition, { that: That }>;

/** A condition that does not hold, and the row that made it fail. */
export interface Conflict {
  failed: Condition;
  winner: WinningRow | null;
}

/** A condition as columns of one statement, and what their values say. */
interface Question {
  columns: Prisma.Sql[];
  holds: (values: unknown[]) => boolean;
}

/**
 * The first condition that does not hold, or null. All are asked in one statement, for each costs as much as a change;
 * what was won is only read where one fails.
 */
export async function firstConflict(
  reader: Reader,
  when: readonly Condition[],
  nowMs: number,
): Promise<Conflict | null> {
  if (when.length === 0) return null;
  const questions = when.map((condition) => questionOf(condition, nowMs));
  const columns = questions.flatMap((question) => question.columns);
  const named = columns.map((column, index) => Prisma.sql`${column} AS ${Prisma.raw(`"c${index}"`)}`);
  const [row = {}] = await reader.$queryRaw<Record<string, unknown>[]>`SELECT ${Prisma.join(named)}`;
  let next = 0;
  for (const [index, question] of questions.entries()) {
    const values = question.columns.map(() => row[`c${next++}`]);
    const failed = when[index];
    if (failed !== undefined && !question.holds(values)) return { failed, winner: await readWinner(reader, failed) };
  }
  return null;
}

function questionOf(condition: Condition, nowMs: number): Question {
  const question = questions[condition.that] as (condition: Condition, nowMs: number) => Question;
  return question(condition, nowMs);
}

const questions: { [That in Condition["that"]]: (condition: Named<That>, nowMs: number) => Question } = {
  desk: ({ name, status }) => exists(Prisma.sql`"Desk" WHERE "name" = ${key(name)} AND ${among("status", status)}`),
  noDesk: ({ name }) => not(exists(Prisma.sql`"Desk" WHERE "name" = ${key(name)}`)),

  attemptOpen: ({ triggerId, attempt }) =>
    exists(Prisma.sql`"Trigger" WHERE "id" = ${key(triggerId)} AND "state" = 'running' AND "attempt" = ${attempt}
      AND "attemptOpen" = ${true} AND "stoppedAt" IS NULL`),
  trigger: ({ id, state, notStopped }) =>
    exists(Prisma.sql`"Trigger" WHERE "id" = ${key(id)} AND ${state === undefined ? always : among("state", state)}
      AND ${notStopped === true ? Prisma.sql`"stoppedAt" IS NULL` : always}`),
  noClientId: ({ deskName, clientId }) =>
    not(exists(Prisma.sql`"Trigger" WHERE "deskName" = ${key(deskName)} AND "clientId" = ${key(clientId)}`)),
  queuedTriggers: ({ deskName, below }) =>
    fewer(Prisma.sql`"Trigger" WHERE "deskName" = ${key(deskName)} AND "state" = 'queued'`, below),

  request: requestQuestion,
  pendingRequests: ({ deskName, below }) =>
    fewer(
      Prisma.sql`"UserRequest" WHERE "deskName" = ${key(deskName)} AND "state" = 'pending' AND "kind" <> 'uncertain'`,
      below,
    ),
  noUncertain: ({ deskName, tool }) =>
    not(
      exists(Prisma.sql`"UserRequest" WHERE "deskName" = ${key(deskName)} AND "state" = 'pending'
        AND "kind" = 'uncertain' AND "tool" = ${key(tool)}`),
    ),

  call: ({ id, status }) => exists(Prisma.sql`"ToolCall" WHERE "id" = ${key(id)} AND ${among("status", status)}`),
  noPaperOrder: ({ key: orderKey }) => not(exists(Prisma.sql`"PaperOrder" WHERE "key" = ${key(orderKey)}`)),
  rule: ({ id }) => exists(Prisma.sql`"PolicyRule" WHERE "id" = ${key(id)}`),
  policy: ({ version }) => ({
    columns: [Prisma.sql`(SELECT "version" FROM "Policy" WHERE "id" = 1)`],
    holds: ([value]) => Number(value ?? 0) === version,
  }),
};

// Times are judged here, not by the database: `'abc' > '2026'` is true in both.
function requestQuestion(condition: Named<"request">, nowMs: number): Question {
  const id = key(condition.id);
  const given = condition.arguments;
  const found = exists(Prisma.sql`"UserRequest" WHERE "id" = ${id} AND ${among("state", condition.state)}
    AND ${given === undefined ? always : Prisma.sql`"arguments" = ${key(given)}`}`);
  return {
    columns: [
      ...found.columns,
      Prisma.sql`(SELECT "expiresAt" FROM "UserRequest" WHERE "id" = ${id})`,
      Prisma.sql`(SELECT "runBy" FROM "UserRequest" WHERE "id" = ${id})`,
    ],
    holds: ([isFound, expiresAt, runBy]) => {
      const isAlive = expiresAt === null || isAfterNow(textOrNull(expiresAt), nowMs);
      if (!found.holds([isFound])) return false;
      if (condition.alive === true && !isAlive) return false;
      if (condition.expired === true && isAlive) return false;
      return condition.startable !== true || isAfterNow(textOrNull(runBy), nowMs);
    },
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

const always = Prisma.sql`1 = 1`;
const key = toStoredText;

function among(column: string, values: readonly string[]): Prisma.Sql {
  if (values.length === 0) return Prisma.sql`1 = 0`;
  return Prisma.sql`${Prisma.raw(`"${column}"`)} IN (${Prisma.join(values)})`;
}

function exists(from: Prisma.Sql): Question {
  // A number in SQLite, a boolean in Postgres.
  return { columns: [Prisma.sql`EXISTS (SELECT 1 FROM ${from})`], holds: ([value]) => Number(value) === 1 };
}

function not({ columns, holds }: Question): Question {
  return { columns, holds: (values) => !holds(values) };
}

function fewer(from: Prisma.Sql, below: number): Question {
  return { columns: [Prisma.sql`(SELECT COUNT(*) FROM ${from})`], holds: ([value]) => Number(value) < below };
}

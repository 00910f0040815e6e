import type { Condition, WinningRow } from "#lib/core/ports/unit.ts";
import type { Prisma } from "./generated/sqlite/client.ts";
import { fromStoredRow } from "./rows.ts";
import { toStoredText } from "./stored-text.ts";

type Reader = Prisma.TransactionClient;
type Named<That extends Condition["that"]> = Extract<Condition, { that: That }>;

/** The row, or the count, that made a condition fail; null where there is none. */
export async function readWinner(reader: Reader, condition: Condition): Promise<WinningRow | null> {
  const read = winners[condition.that] as (reader: Reader, condition: Condition) => Promise<WinningRow | null>;
  return await read(reader, condition);
}

const winners: {
  [That in Condition["that"]]: (reader: Reader, condition: Named<That>) => Promise<WinningRow | null>;
} = {
  desk: readDesk,
  noDesk: readDesk,
  attemptOpen: (reader, { triggerId }) => readTrigger(reader, { id: toStoredText(triggerId) }),
  trigger: (reader, { id }) => readTrigger(reader, { id: toStoredText(id) }),
  noClientId: (reader, { deskName, clientId }) =>
    readTrigger(reader, {
      deskName_clientId: { deskName: toStoredText(deskName), clientId: toStoredText(clientId) },
    }),
  request: (reader, { id }) => readRequest(reader, { id: toStoredText(id) }),
  noUncertain: (reader, { deskName, tool }) =>
    readRequest(reader, {
      deskName: toStoredText(deskName),
      state: "pending",
      kind: "uncertain",
      tool: toStoredText(tool),
    }),
  async call(reader, { id }) {
    const stored = await reader.toolCall.findUnique({ where: { id: toStoredText(id) } });
    return stored && { table: "call", row: fromStoredRow("call", stored) };
  },
  async noPaperOrder(reader, { key }) {
    const stored = await reader.paperOrder.findUnique({ where: { key: toStoredText(key) } });
    return stored && { table: "paperOrder", row: fromStoredRow("paperOrder", stored) };
  },
  async policy(reader) {
    const policy = await reader.policy.findUnique({ where: { id: 1 } });
    return { table: "policy", version: policy?.version ?? 0 };
  },
  rule: async () => await Promise.resolve(null),
  async pendingRequests(reader, { deskName }) {
    const where = { deskName: toStoredText(deskName), state: "pending", kind: { not: "uncertain" } };
    return { table: "count", count: await reader.userRequest.count({ where }) };
  },
  async queuedTriggers(reader, { deskName }) {
    const where = { deskName: toStoredText(deskName), state: "queued" };
    return { table: "count", count: await reader.trigger.count({ where }) };
  },
};

async function readDesk(reader: Reader, { name }: { name: string }): Promise<WinningRow | null> {
  const stored = await reader.desk.findUnique({ where: { name: toStoredText(name) } });
  return stored && { table: "desk", row: fromStoredRow("desk", stored) };
}

async function readTrigger(reader: Reader, where: Prisma.TriggerWhereUniqueInput): Promise<WinningRow | null> {
  const stored = await reader.trigger.findUnique({ where });
  return stored && { table: "trigger", row: fromStoredRow("trigger", stored) };
}

async function readRequest(reader: Reader, where: Prisma.UserRequestWhereInput): Promise<WinningRow | null> {
  const stored = await reader.userRequest.findFirst({ where, orderBy: { id: "asc" } });
  return stored && { table: "request", row: fromStoredRow("request", stored) };
}

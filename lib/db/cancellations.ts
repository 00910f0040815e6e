import type { Change } from "#lib/core/ports/unit.ts";
import type { NewEvent } from "#lib/protocol/events.ts";
import type { Prisma } from "./generated/sqlite/client.ts";
import { fromStoredRow, toStoredRow } from "./rows.ts";
import { toStoredText } from "./stored-text.ts";

type Writer = Prisma.TransactionClient;
type Cancel<What> = Extract<Change, { cancel: What }>;

/** Cancels what waits of a desk or of a trigger, and gives the event of each, oldest first. */
export async function cancelRequests(writer: Writer, change: Cancel<"requests">): Promise<NewEvent[]> {
  const { by, reason, at } = change;
  const where = {
    deskName: toStoredText(change.deskName),
    state: { in: ["pending", "approved"] },
    kind: { in: ["question", "permission"] },
    ...(change.triggerId === undefined ? {} : { triggerId: toStoredText(change.triggerId) }),
  };
  const found = await writer.userRequest.findMany({ where, orderBy: { id: "asc" } });
  if (found.length === 0) return [];
  const set = toStoredRow("request", { state: "cancelled", decidedBy: by, decidedAt: at, note: reason });
  await writer.userRequest.updateMany({ where: { id: { in: found.map((row) => row.id) } }, data: set });
  return found.map((stored) => {
    const { id: requestId, number, state: from, deskName, triggerId } = fromStoredRow("request", stored);
    const payload = { requestId, number, from, to: "cancelled" as const, by, reason };
    return { deskName, kind: "user_request_changed", triggerId, payload };
  });
}

/** Stops the queued triggers of a desk, and gives the event of each, oldest first. */
export async function cancelTriggers(writer: Writer, change: Cancel<"triggers">): Promise<NewEvent[]> {
  const { by, reason, at } = change;
  const where = { deskName: toStoredText(change.deskName), state: "queued" };
  const found = await writer.trigger.findMany({ where, orderBy: { id: "asc" } });
  if (found.length === 0) return [];
  const set = toStoredRow("trigger", { state: "stopped", stoppedAt: at, endedAt: at, endReason: reason });
  await writer.trigger.updateMany({ where: { id: { in: found.map((row) => row.id) } }, data: set });
  return found.map((stored) => {
    const { id: triggerId, deskName } = fromStoredRow("trigger", stored);
    return { deskName, kind: "turn_ended", triggerId, payload: { triggerId, state: "stopped", reason, by } };
  });
}

import { AppError } from "#lib/core/app-error.ts";
import type { Change } from "#lib/core/ports/unit.ts";
import type { NewEvent } from "#lib/protocol/events.ts";
import { cancelRequests, cancelTriggers } from "./cancellations.ts";
import type { Prisma } from "./generated/sqlite/client.ts";
import { toStoredRow } from "./rows.ts";
import { toStoredText } from "./stored-text.ts";

type Writer = Prisma.TransactionClient;

/** Applies one change and gives the events that it brings by itself. */
export async function applyChange(writer: Writer, change: Change): Promise<NewEvent[]> {
  if ("insert" in change) {
    await insert(writer, change);
    return [];
  }
  if ("update" in change) {
    const count = await update(writer, change);
    if (count === 1) return [];
    throw new AppError("internal", `There is no ${change.update} ${change.key} to update.`);
  }
  if ("delete" in change) {
    const { count } = await writer.policyRule.deleteMany({ where: { id: toStoredText(change.key) } });
    if (count === 1) return [];
    throw new AppError("internal", `There is no rule ${change.key} to delete.`);
  }
  if ("bump" in change) {
    const { count } = await writer.policy.updateMany({ where: { id: 1 }, data: { version: { increment: 1 } } });
    if (count === 0) await writer.policy.createMany({ data: [{ id: 1, version: 1 }] });
    return [];
  }
  return change.cancel === "requests"
    ? await cancelRequests(writer, change)
    : await cancelTriggers(writer, change);
}

// createMany, for it writes without reading the row back.
async function insert(writer: Writer, change: Extract<Change, { insert: unknown }>): Promise<void> {
  const row = toStoredRow(change.insert, change.row);
  switch (change.insert) {
    case "desk":
      await writer.desk.createMany({ data: [row as Prisma.DeskCreateManyInput] });
      return;
    case "trigger":
      await writer.trigger.createMany({ data: [row as Prisma.TriggerCreateManyInput] });
      return;
    case "call":
      await writer.toolCall.createMany({ data: [row as Prisma.ToolCallCreateManyInput] });
      return;
    case "request":
      await writer.userRequest.createMany({ data: [row as Prisma.UserRequestCreateManyInput] });
      return;
    case "rule":
      await writer.policyRule.createMany({ data: [row as Prisma.PolicyRuleCreateManyInput] });
      return;
    case "picture":
      await writer.picture.createMany({ data: [row as Prisma.PictureCreateManyInput] });
      return;
    case "paperOrder":
      await writer.paperOrder.createMany({ data: [row as Prisma.PaperOrderCreateManyInput] });
      return;
    case "note":
      await writer.note.createMany({ data: [row as Prisma.NoteCreateManyInput] });
  }
}

async function update(writer: Writer, change: Extract<Change, { update: unknown }>): Promise<number> {
  const key = toStoredText(change.key);
  const data = toStoredRow(change.update, change.set);
  switch (change.update) {
    case "desk":
      return (await writer.desk.updateMany({ where: { name: key }, data })).count;
    case "trigger":
      return (await writer.trigger.updateMany({ where: { id: key }, data })).count;
    case "call":
      return (await writer.toolCall.updateMany({ where: { id: key }, data })).count;
    case "request":
      return (await writer.userRequest.updateMany({ where: { id: key }, data })).count;
  }
}

import type { Clock } from "#lib/core/ports/clock.ts";
import type { CommitResult, Unit } from "#lib/core/ports/unit.ts";
import type { DeskEvent, NewEvent } from "#lib/protocol/events.ts";
import { applyChange } from "./changes.ts";
import type { ChainDraft } from "./chain-heads.ts";
import { firstConflict } from "./conditions.ts";
import type { Prisma } from "./generated/sqlite/client.ts";
import { toStoredText } from "./stored-text.ts";

type Writer = Prisma.TransactionClient;

/** Does one unit inside the open transaction: conditions, changes, and places for its events in the draft. */
export async function doUnit(writer: Writer, unit: Unit, draft: ChainDraft, clock: Clock): Promise<CommitResult> {
  const nowMs = clock.now();
  const conflict = await firstConflict(writer, unit.when, nowMs);
  if (conflict !== null) return { committed: false, ...conflict };
  const brought: NewEvent[] = [];
  for (const change of unit.changes) brought.push(...(await applyChange(writer, change)));
  const at = new Date(nowMs).toISOString();
  const events: DeskEvent[] = [];
  for (const event of [...unit.events, ...brought]) {
    events.push(draft.append(event, at, await toolOfRequest(writer, event)));
  }
  return { committed: true, events };
}

// A change of a request is found under its request's tool, which its payload does not say.
async function toolOfRequest(writer: Writer, event: NewEvent): Promise<string | null> {
  if (event.kind !== "user_request_changed") return null;
  const request = await writer.userRequest.findUnique({
    where: { id: toStoredText(event.payload.requestId) },
    select: { tool: true },
  });
  return request?.tool ?? null;
}

import type { Store } from "#lib/core/ports/store.ts";
import type { CallRow, DeskRow, NoteRow, PaperOrderRow, RequestRow, RuleRow, TriggerRow } from "#lib/core/record.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";

/** All that the record holds, oldest first. */
export interface RecordRows {
  desks: DeskRow[];
  triggers: TriggerRow[];
  calls: CallRow[];
  requests: RequestRow[];
  orders: PaperOrderRow[];
  notes: NoteRow[];
  rules: RuleRow[];
  events: DeskEvent[];
}

/** Reads the whole record. */
export async function readRecord(store: Store): Promise<RecordRows> {
  const desks = await store.desks();
  const triggers = await store.triggers({ order: "newest", limit: 500 });
  const calls = await store.calls({ order: "oldest", limit: 500 });
  const requests = await store.requests({ order: "oldest", limit: 500 });
  const orders: PaperOrderRow[] = [];
  const notes: NoteRow[] = [];
  for (const { name } of desks) {
    orders.push(...(await store.paperOrders(name)));
    notes.push(...(await store.notes(name, 500)));
  }
  const { rules } = await store.policy();
  return {
    desks,
    triggers: triggers.toReversed(),
    calls,
    requests,
    orders,
    notes,
    rules,
    events: await allEvents(store),
  };
}

async function allEvents(store: Store): Promise<DeskEvent[]> {
  const events: DeskEvent[] = [];
  for (;;) {
    const page = await store.events({ after: events.at(-1)?.position ?? 0, limit: 500 });
    events.push(...page.events);
    if (!page.more) return events;
  }
}

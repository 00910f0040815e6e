import type { LiveDesks } from "#lib/core/live-desks.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { DeskRow } from "#lib/core/record.ts";
import type { DeskView } from "#lib/protocol/views.ts";

/** A desk as people see it. */
export async function deskView(desk: DeskRow, store: Store, live: LiveDesks): Promise<DeskView> {
  const [[running], queued, waiting] = await Promise.all([
    store.triggers({ deskName: desk.name, states: ["running"], order: "next", limit: 1 }),
    store.countTriggers({ deskName: desk.name, states: ["queued"] }),
    store.countRequests({ deskName: desk.name, states: ["pending"] }),
  ]);
  const { name, status, instructions, instructionsVersion, backends, toolsets, caps, capReached, createdAt } = desk;
  return {
    name,
    status,
    instructions,
    instructionsVersion,
    backends,
    toolsets,
    caps,
    capReached,
    halted: live.find(name)?.executor.halted ?? null,
    running: running ? { triggerId: running.id, startedAt: running.startedAt ?? running.createdAt } : null,
    queued,
    waiting,
    createdAt,
  };
}

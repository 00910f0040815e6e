import type { CapName } from "#lib/protocol/caps.ts";
import type { CoreDeps } from "./deps.ts";
import { isoNow } from "./ports/clock.ts";

/** Records that a desk is at a cap, so that its people get a card that offers to pause it. */
export async function capUnit(
  deps: CoreDeps,
  deskName: string,
  reached: { cap: CapName; limit: number; triggerId: string | null },
): Promise<void> {
  const desk = await deps.store.desk(deskName);
  if (!desk) return;
  const at = isoNow(deps.clock);
  const capReached = { ...reached, at };
  await deps.store.commit({
    name: "cap",
    when: [{ that: "desk", name: deskName, status: [desk.status] }],
    changes: [{ update: "desk", key: deskName, set: { capReached, updatedAt: at } }],
    events: [
      {
        deskName,
        kind: "desk_changed",
        triggerId: reached.triggerId,
        payload: { status: desk.status, by: "deskboard", changes: {}, capReached },
      },
    ],
  });
}

import type { CallRow, RequestRow } from "#lib/core/record.ts";
import { presentText } from "#lib/core/request-texts.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { modelDesks, type ModelWorld } from "./model-world.ts";

/** What a turn is said to have completed is what the record has of it, each held call as it stands now. */
export function completedProblems(
  world: ModelWorld,
  calls: readonly CallRow[],
  requests: ReadonlyMap<string, RequestRow>,
  events: readonly DeskEvent[],
): string[] {
  const problems: string[] = [];
  // A turn that an earlier process ended is remembered by none.
  const begun = new Set(
    events.slice(world.firstPosition).flatMap((event) => (event.kind === "turn_started" ? [event.triggerId] : [])),
  );
  for (const deskName of modelDesks) {
    const executor = world.desk.live.find(deskName)?.executor;
    const own = Map.groupBy(
      calls.filter((row) => row.deskName === deskName),
      (row) => row.triggerId,
    );
    for (const [triggerId, rows] of own) {
      if (!begun.has(triggerId)) continue;
      const said = executor?.completedCalls(triggerId) ?? [];
      const wanted = completedOf(rows, requests);
      const fits = wanted.every(
        ({ callId, texts }, index) => said[index]?.callId === callId && texts.includes(said[index].resultText),
      );
      if (said.length !== wanted.length || !fits) {
        problems.push(
          `completed calls of ${triggerId}: ${JSON.stringify(said)}, by the record ${JSON.stringify(wanted)}`,
        );
      }
    }
  }
  return problems;
}

function completedOf(rows: readonly CallRow[], requests: ReadonlyMap<string, RequestRow>) {
  const held = new Set<string>();
  return rows.flatMap((row) => {
    if (["refused", "denied", "recorded", "running"].includes(row.status)) return [];
    const request = row.requestId === null ? undefined : requests.get(row.requestId);
    if (!request) return [{ callId: row.id, texts: [row.resultText ?? ""] }];
    // A call that carries a request out is told as the outcome of the call that was held; a repeat is not told again.
    if (row.status !== "held" && row.name !== "ask_user") return [];
    if (held.has(`${row.identity} ${request.id}`)) return [];
    held.add(`${row.identity} ${request.id}`);
    return [
      { callId: row.id, texts: [presentText(request), ...(request.state === "pending" ? [row.resultText ?? ""] : [])] },
    ];
  });
}

import { trendPlaybook } from "#lib/backends/playbooks/trend.ts";
import { PlaybookDesk, type TurnLog } from "./playbook-desk.ts";

/** A desk that runs the trend playbook. */
export function newTrendDesk(symbols = ["EURUSD"]): PlaybookDesk {
  return new PlaybookDesk(trendPlaybook({ dayMs: 120_000, symbols }));
}

/** A desk whose first order was filled, and whose stop question still waits as R-2. */
export async function trendDeskWithPosition(): Promise<PlaybookDesk> {
  const desk = newTrendDesk();
  await desk.schedule();
  await desk.approve("R-1");
  return desk;
}

/** The notes that a turn wrote. */
export function written(log: TurnLog): string[] {
  return log.calls.flatMap(({ name, arguments: { text } }) =>
    name === "write_note" && typeof text === "string" ? [text] : [],
  );
}

/** What waits at a desk: `R-1 place_order`. */
export function waiting(desk: PlaybookDesk): string[] {
  return desk.pending.map(({ label, tool }) => `${label} ${tool}`);
}

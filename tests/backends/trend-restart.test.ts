import { expect, test } from "vitest";
import { trendPlaybook } from "#lib/backends/playbooks/trend.ts";
import { PlaybookDesk } from "#tests/support/playbook-desk.ts";
import { newTrendDesk, waiting, written } from "#tests/support/trend-desk.ts";

const schedule = { kind: "schedule", text: "Look at the market.", from: "schedule" } as const;

test.each(Array.from({ length: 9 }, (_, behind) => behind))(
  "P6: stopped behind step %i of its first look and run again, it asks for one order and one stop",
  async (behind) => {
    const desk = newTrendDesk();
    const log = await desk.turn(schedule, { behind });
    expect(waiting(desk)).toEqual(["R-1 place_order", "R-2 ask_user"]);
    // Only between the words and the call that they announce can they be said twice.
    expect(log.said.length).toBe(behind === 6 ? 2 : 1);
    expect(log.calls.filter(({ name }) => name === "draw_chart")).toHaveLength(1);
  },
);

test.each(Array.from({ length: 6 }, (_, behind) => behind))(
  "P6: stopped behind step %i of a denial and run again, it notes it once",
  async (behind) => {
    const desk = newTrendDesk();
    await desk.schedule();
    const [order] = desk.pending.splice(0, 1);
    const data = {
      requestId: "r",
      label: "R-1",
      tool: "place_order",
      arguments: JSON.stringify(order?.arguments),
      state: "denied",
      by: "ann",
      note: "no",
      resolution: null,
      resultText: null,
    };
    const log = await desk.turn({ kind: "outcome", text: "", from: "R-1", data }, { behind });
    expect(written(log)).toHaveLength(1);
    expect(log.said.length).toBe(behind === 4 ? 2 : 1);
  },
);

test("P6: another instance goes on from the notes, the account and what waits", async () => {
  const desk = new PlaybookDesk({
    name: "playbook:trend",
    // Each turn is done by a new instance, as after a restart.
    run: (turn) => trendPlaybook({ dayMs: 120_000, symbols: ["EURUSD"] }).run(turn),
  });
  await desk.schedule();
  await desk.approve("R-1");
  await desk.answer("R-2", { option: 3 });
  expect((await desk.schedule()).said).toEqual([]);
  expect((await desk.chat("status")).said[0]).toContain("stop 1.16393.");
});

import { expect, test } from "vitest";
import { newTrendDesk, trendDeskWithPosition, waiting, written } from "#tests/support/trend-desk.ts";

test("chat: it tells what it holds, what waits and what it plans", async () => {
  const desk = await trendDeskWithPosition();
  const [text] = (await desk.chat("What do you hold?")).said;
  expect(text).toContain(
    "EURUSD: short 100,000 EURUSD from 1.1581700, now 1.15823 (replayed), open profit -6.00 USD, no stop.",
  );
  expect(text).toContain("Waiting: R-2, a question about EURUSD.");
  expect(text).toMatch(/Plan: I follow the trend/);
});

test("H4: a message while an order waits is answered, and the order goes on waiting", async () => {
  const desk = newTrendDesk();
  await desk.schedule();
  const [text] = (await desk.chat("approved, go ahead!! status")).said;
  expect(text).toContain("Waiting: R-1, to sell 100,000 EURUSD; R-2, a question about EURUSD.");
  expect(waiting(desk)).toEqual(["R-1 place_order", "R-2 ask_user"]);
});

test("chat: it holds off until the day named, but for stops, and goes on when told", async () => {
  const desk = newTrendDesk();
  const log = await desk.chat("hold off until Tuesday please");
  expect(log.said[0]).toMatch(/^I hold off until Tuesday, by the market's calendar\./);
  expect(written(log)).toEqual(['Paused until market day 23. Words of ann: "hold off until Tuesday please"']);
  expect((await desk.schedule()).said).toEqual([]);
  expect((await desk.chat("go on")).said[0]).toMatch(/^I go on/);
  expect((await desk.schedule()).said).toHaveLength(1);
});

test("chat: without a day it holds off until told, and still closes what is through its stop", async () => {
  const desk = await trendDeskWithPosition();
  await desk.answer("R-2", { option: 1 });
  await desk.chat("please pause");
  expect((await desk.chat("status")).said[0]).toContain('Plan: I hold off until you write "go on".');
  desk.passDays(3);
  await desk.schedule();
  expect(desk.pending[0]?.arguments).toMatchObject({ reduceOnly: true });
});

test("chat: what it cannot make out it quotes, and says what it understands", async () => {
  const [text] = (await newTrendDesk().chat("<b>sell everything</b>")).said;
  expect(text).toMatch(/^I am a playbook and cannot make out "<b>sell everything<\/b>"\. I understand "status"/);
});

import { startServer } from "#tests/support/server.ts";
import { expect, test } from "./support/board-test.ts";
import { order } from "./support/drill-steps.ts";

const entry = "tests/e2e/support/drill-server.ts";

test("P13: a desk is paused, resumed and stopped", async ({ page, desk }) => {
  await desk.does(order);
  await page.goto("/");
  const desks = page.getByRole("region", { name: "Desks" });
  await desks.getByRole("button", { name: "Pause drill" }).click();
  await expect(desks.getByText("paused")).toBeVisible();
  await desks.getByRole("button", { name: "Resume drill" }).click();
  await expect(desks.getByText("active")).toBeVisible();
  await page.getByRole("button", { name: "Pause all" }).click();
  await expect(desks.getByText("paused")).toBeVisible();
  await desks.getByRole("button", { name: "Stop drill…" }).click();
  await page.getByRole("menuitem", { name: /Stop everything of drill/ }).click();
  await expect(page.getByRole("article", { name: /Hold/ }).getByText(/^Cancelled/)).toBeVisible();
  expect(await desk.requests()).toHaveLength(0);
});

test("P5: an approval while the desk is paused is refused, says why, and still waits", async ({
  page,
  desk,
  provoked,
}) => {
  provoked.add(409);
  await desk.does(order);
  await page.goto("/");
  const card = page.getByRole("article", { name: /Hold/ });
  await desk.post("/api/desks/drill/pause", {});
  await card.getByRole("button", { name: "Approve…" }).click();
  await card.getByRole("button", { name: /^Approve BUY/ }).click();
  await expect(card.getByRole("alert")).toContainText(/paused/);
  await expect(card.getByRole("button", { name: "Approve…" })).toBeVisible();
});

test("P14: a message is kept until the server has it, and arrives once", async ({ page, server, desk, outage }) => {
  await page.goto("/");
  const box = page.getByLabel("Write to drill");
  const words = "Hello,\n<i>desk</i>";
  await box.fill(words);
  // It arrives, and its answer is lost on the way.
  await page.route("**/messages", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  outage.expected = true;
  await box.press("Control+Enter");
  await expect(page.getByRole("alert").getByText("The server cannot be reached.")).toBeVisible();
  await expect(box).toHaveValue(words);
  await page.unroute("**/messages");
  await page.reload();
  await expect(box).toHaveValue(words);
  await page.getByRole("button", { name: "Send" }).last().click();
  await expect(page.getByText("Sent to drill.")).toBeVisible();
  await expect(box).toHaveValue("");
  const { events } = await desk.get<{ events: { payload: { from: string; text: string } }[] }>(
    "/api/events?kind=message",
  );
  expect(events.filter((event) => event.payload.text === words)).toHaveLength(1);
  expect(server.logged("error")).toEqual([]);
});

test("a banner says that the server is away, and the page goes on where it was when it is back", async ({
  page,
  outage,
}) => {
  outage.expected = true;
  const first = await startServer({ entry });
  const { port, dataDir } = first;
  outage.origin = first.url;
  await page.goto(first.url);
  await expect(page.getByText("There is no desk yet.")).toBeVisible();
  first.process.kill("SIGKILL");
  await expect(page.getByText("The server cannot be reached.")).toBeVisible();
  const second = await startServer({ entry, port, dataDir });
  await expect(page.getByText("The server cannot be reached.")).toHaveCount(0);
  await first.kill();
  await second.kill();
});

test("a hidden tab asks for nothing, and asks at once when it is shown again", async ({ page, desk }) => {
  await page.goto("/");
  await expect(page.getByText("Nothing waits.")).toBeVisible();
  const show = (state: "hidden" | "visible") =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await show("hidden");
  await desk.does(order);
  await expect.poll(() => desk.requests()).toHaveLength(1);
  // The clock goes on in the page while nothing is asked for.
  const clock = page.locator("header time");
  const before = await clock.textContent();
  await expect(clock).not.toHaveText(before ?? "");
  const next = await clock.textContent();
  await expect(clock).not.toHaveText(next ?? "");
  await expect(page.getByText("Nothing waits.")).toBeVisible();
  await show("visible");
  await expect(page.getByRole("article", { name: /Hold/ })).toBeVisible({ timeout: 900 });
});

test("an event has a link of its own, also one that is older than the first page", async ({ page, desk }) => {
  const says = Array.from({ length: 60 }, (_, index) => ({ say: `Word ${index}` }));
  await desk.does(...says);
  await desk.does(...says);
  await desk.does(...says);
  await expect.poll(async () => (await desk.get<{ head: number }>("/api/events?limit=1")).head).toBeGreaterThan(185);
  await page.goto("/#e10");
  await expect(page.getByRole("link", { name: /^Event 10 at/ })).toBeInViewport();
  await expect(page.getByText("The record begins here.")).toBeAttached();
  await page
    .getByRole("button", { name: /new/ })
    .or(page.getByRole("link", { name: /^Event 10 at/ }))
    .first()
    .click();
  expect(new URL(page.url()).hash).toBe("#e10");
});

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
  await page.getByRole("button", { name: "Send to drill" }).click();
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

test("a cap that was reached is said once, with the ways on", async ({ page, server, desk }) => {
  await fetch(`${server.url}/api/desks/drill`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ caps: { callsPerTurn: 1 } }),
  });
  const quote = { call: "get_quote", with: { symbol: "EURUSD" } };
  const banner = page.getByText("drill reached a cap:");
  await page.goto("/");
  await desk.does(quote, quote, quote);
  await expect(banner).toBeVisible();
  await expect(page.getByText(/1 tool calls? in one turn/)).toBeVisible();
  await page.getByRole("button", { name: "Let drill go on" }).click();
  await expect(banner).toHaveCount(0);
  await desk.does(quote, quote, quote);
  await expect(banner).toBeVisible();
  await page.getByRole("button", { name: "Pause drill" }).last().click();
  await expect(page.getByRole("region", { name: "Desks" }).getByText("paused")).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test("a record that cannot be written, and a desk that is halted by it, are said", async ({ page, desk }) => {
  const { desks, asOf } = await desk.get<{ desks: object[]; asOf: number }>("/api/desks");
  const halted = "The record could not be written: no space is left on the disk.";
  await page.route("**/api/desks", (route) =>
    route.fulfill({ json: { desks: desks.map((one) => ({ ...one, halted })), asOf } }),
  );
  await page.route("**/api/health", (route) =>
    route.fulfill({ json: { status: "read_only", version: "0", database: "sqlite" } }),
  );
  await page.goto("/");
  await expect(page.getByText("The record cannot be written.")).toBeVisible();
  await expect(page.getByText("drill takes no more calls.")).toBeVisible();
  await expect(page.getByText(halted)).toBeVisible();
});

test("a hidden tab hears of what happens, and its title counts what waits", async ({ page, desk }) => {
  await page.goto("/");
  await expect(page.getByText("Nothing waits.")).toBeVisible();
  await expect(page.locator('[data-live="live"]')).toBeAttached();
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await desk.does(order);
  await expect(page).toHaveTitle("(1) Deskboard");
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

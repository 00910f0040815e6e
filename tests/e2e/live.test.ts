import type { Page } from "playwright/test";
import { expect, expectEqualToDatabase, test, words } from "./support/live-test.ts";
import { order, stopQuestion, asks } from "./support/drill-steps.ts";

const live = (page: Page) => page.locator('[data-live="live"]');
const hold = (page: Page) => page.getByRole("article", { name: /Hold/ });
const down = (page: Page) => page.getByText(/^(Live is down|The server cannot be reached)\./);

async function deny(page: Page): Promise<void> {
  await hold(page).getByRole("button", { name: "Deny…" }).click();
  await hold(page)
    .getByRole("button", { name: /^Deny BUY/ })
    .click();
}

async function openBoth(page: Page, other: Page): Promise<void> {
  await page.goto("/");
  await other.goto("/");
  for (const one of [page, other]) await expect(live(one)).toBeAttached();
}

test("P5: decided in one browser, dead in the other within a second", async ({ page, other, desk }) => {
  await openBoth(page, other);
  await desk.does(order, asks(stopQuestion));
  for (const one of [page, other]) await expect(hold(one).getByRole("button", { name: "Approve…" })).toBeEnabled();
  const decided = page.waitForResponse(/\/decision$/);
  await deny(page);
  await decided;
  await expect(hold(other).getByRole("button", { name: "Approve…" })).toHaveCount(0, { timeout: 1_000 });
  await expect(hold(other).getByText(/^Denied by ann at /)).toBeVisible();
  const question = (one: Page) => one.getByRole("article", { name: /Question/ });
  await question(other).getByRole("button", { name: "Dismiss…" }).click();
  const dismissed = other.waitForResponse(/\/dismiss$/);
  await question(other)
    .getByRole("button", { name: /^Dismiss R-/ })
    .click();
  await dismissed;
  await expect(question(page).getByRole("button", { name: "Dismiss…" })).toHaveCount(0, { timeout: 1_000 });
  await expect(question(page).getByText(/^Dismissed by ann at /)).toBeVisible();
  await expect(page).toHaveTitle("Deskboard");
  await expectEqualToDatabase(page, desk);
  await expectEqualToDatabase(other, desk);
});

test("who else has a card open is said in every other browser, and no longer when they leave it", async ({
  page,
  other,
  desk,
}) => {
  await openBoth(page, other);
  await desk.does(order);
  const lookers = hold(other).getByText("ann has it open");
  await expect(hold(other)).toBeVisible();
  await expect(lookers).toHaveCount(0);
  await hold(page).getByRole("textbox").focus();
  await expect(lookers).toBeVisible();
  await expect(hold(page).getByText("ann has it open")).toHaveCount(0);
  await page.getByRole("textbox", { name: /Write to/ }).focus();
  await expect(lookers).toHaveCount(0);
});

test("P11: a browser that is cut off for 30 events shows what the database has, a second after it is back", async ({
  page,
  other,
  desk,
  line,
  outage,
}) => {
  await openBoth(page, other);
  await desk.does(...words(1, 5));
  await expectEqualToDatabase(other, desk);
  outage.expected = true;
  line.cut();
  await expect(down(other)).toBeVisible();
  await desk.does(...words(6, 35), order);
  await expectEqualToDatabase(page, desk);
  await expect(hold(page)).toBeVisible();
  await expect(hold(other)).toHaveCount(0);
  line.mend();
  await expect(live(other)).toBeAttached();
  await expectEqualToDatabase(other, desk, 1_000);
  await expect(hold(other)).toBeVisible({ timeout: 1_000 });
  await expect(down(other)).toHaveCount(0);
  await desk.does(...words(36, 37));
  await expectEqualToDatabase(other, desk);
});

test("P11: a browser that is cut off before its first event misses none", async ({ other, desk, line, outage }) => {
  await other.goto("/");
  await expect(live(other)).toBeAttached();
  outage.expected = true;
  line.cut();
  await expect(down(other)).toBeVisible();
  await desk.does(...words(1, 10));
  await expect.poll(async () => (await desk.get<{ head: number }>("/api/events?limit=1")).head).toBeGreaterThan(12);
  line.mend();
  await expect(live(other)).toBeAttached();
  await expectEqualToDatabase(other, desk);
});

test("P11: events that are published while the first page loads are there", async ({ page, desk }) => {
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  const { promise: read, resolve: isRead } = Promise.withResolvers<void>();
  await page.route(
    "**/api/events?*",
    async (route) => {
      const answer = await route.fetch();
      isRead();
      await go;
      await route.fulfill({ response: answer });
    },
    { times: 1 },
  );
  await page.goto("/");
  await read;
  await expect(live(page)).toBeAttached();
  await desk.does(...words(1, 10), order);
  // The page hears of it: what waits is there before the events are.
  await expect(hold(page)).toBeVisible();
  release();
  await expectEqualToDatabase(page, desk);
});

test("P11: an older snapshot that arrives last does not win", async ({ page, desk }) => {
  await page.goto("/");
  await desk.does(order);
  await expect(hold(page).getByRole("button", { name: "Approve…" })).toBeEnabled();
  const [request] = await desk.requests();
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  let held = 0;
  // What is read now, before the decision, arrives after it.
  await page.route(/\/api\/(requests|desks)/, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const answer = await route.fetch();
    held += 1;
    await go;
    await route.fulfill({ response: answer }).catch(() => undefined);
  });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect.poll(() => held).toBeGreaterThan(1);
  await desk.post(`/api/requests/${request?.id}/decision`, { decision: "deny", digest: request?.digest });
  await expectEqualToDatabase(page, desk);
  release();
  await expect(hold(page).getByText(/^Denied by ann at /)).toBeVisible();
  await expect(hold(page).getByRole("button")).toHaveCount(0);
  await expect(page).toHaveTitle("Deskboard");
});

test("P11: the server is restarted under both browsers, and each shows what the database has", async ({
  page,
  other,
  desk,
  crash,
}) => {
  await openBoth(page, other);
  await desk.does(...words(1, 5), order);
  await expect(hold(other)).toBeVisible();
  const start = await crash();
  for (const one of [page, other]) await expect(down(one)).toBeVisible();
  await start();
  for (const one of [page, other]) {
    await expect(live(one)).toBeAttached();
    await expectEqualToDatabase(one, desk, 1_000);
    await expect(down(one)).toHaveCount(0);
  }
  await desk.does(...words(6, 9));
  await deny(other);
  await expect(hold(page).getByText(/^Denied by ann at /)).toBeVisible();
  for (const one of [page, other]) await expectEqualToDatabase(one, desk);
});

test("P5: H9: a tab that is offline while another decides, a tab that is opened late, and a reload", async ({
  page,
  other,
  desk,
  outage,
}) => {
  await openBoth(page, other);
  await desk.does(order);
  await expect(hold(other).getByRole("button", { name: "Approve…" })).toBeEnabled();
  outage.expected = true;
  await other.context().setOffline(true);
  await expect(down(other)).toBeVisible();
  await deny(page);
  await expect(hold(page).getByText(/^Denied by ann at /)).toBeVisible();
  await other.context().setOffline(false);
  await expect(hold(other).getByText(/^Denied by ann at /)).toBeVisible();
  await expect(hold(other).getByRole("button")).toHaveCount(0);
  const late = await other.context().newPage();
  await late.goto("/");
  await page.reload();
  for (const one of [late, page]) await expect(one.getByText("Nothing waits.")).toBeVisible();
  for (const one of [page, other, late]) await expectEqualToDatabase(one, desk);
});

test("P11: where no socket gets through, the page says so and reads over HTTP", async ({ page, desk, outage }) => {
  outage.expected = true;
  await page.routeWebSocket("**/socket.io/**", (socket) => socket.close());
  await page.goto("/");
  await expect(page.getByText("Live is down.")).toBeVisible();
  await expect(page.getByText(/^down since \d\d:\d\d:\d\d$/)).toBeVisible();
  await desk.does(...words(1, 5), order);
  await expect(hold(page)).toBeVisible();
  await expectEqualToDatabase(page, desk);
});

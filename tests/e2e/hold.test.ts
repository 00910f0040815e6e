import type { Locator, Page } from "playwright/test";
import type { RequestView } from "#lib/protocol/views.ts";
import { type Desk, expect, test } from "./support/board-test.ts";
import { order, payment } from "./support/drill-steps.ts";

const headline = "BUY 200,000 EURUSD MARKET";

async function shown(page: Page, desk: Desk): Promise<{ card: Locator; request: RequestView }> {
  await desk.does(order);
  await page.goto("/");
  const card = page.getByRole("article", { name: /Hold/ });
  await expect(card.getByRole("button", { name: "Approve…" })).toBeEnabled();
  const [request] = await desk.requests();
  if (!request) throw new Error("nothing waits");
  return { card, request };
}

const approve = (card: Locator) => card.getByRole("button", { name: "Approve…" });
const confirm = (card: Locator) => card.getByRole("button", { name: `Approve ${headline}` });

test("P4: approving takes a second press that reads the order", async ({ page, desk }) => {
  const { card } = await shown(page, desk);
  await expect(card.getByRole("row", { name: "quantity 200000" })).toBeVisible();
  await expect(card.getByRole("columnheader", { name: /^now \d/ })).toBeVisible();
  await approve(card).click();
  expect(await desk.requests()).toHaveLength(1);
  await confirm(card).click();
  await expect(card.getByText(/^Approved by ann at .* It ran\.$/)).toBeVisible();
  expect(await desk.requests("completed")).toHaveLength(1);
});

test("denying sends the words with it", async ({ page, desk }) => {
  const { card } = await shown(page, desk);
  const words = "Not before the fix.\n  Two blanks before this line.";
  await card.getByLabel("Your words to the desk").fill(words);
  await card.getByRole("button", { name: "Deny…" }).click();
  await card.getByRole("button", { name: `Deny ${headline}` }).click();
  await expect(card.getByText(/^Denied by ann at /)).toBeVisible();
  const [denied] = await desk.requests("denied");
  expect(denied?.note).toBe(words);
  await expect(page.getByRole("list", { name: "Events" }).getByText(/Outcome of R-1/)).toBeVisible();
});

test("P4: a double click and a held-down key decide nothing", async ({ page, desk }) => {
  const { card } = await shown(page, desk);
  await approve(card).dblclick();
  await confirm(card).dispatchEvent("click");
  expect(await desk.requests()).toHaveLength(1);
  await page.keyboard.press("Escape");
  await approve(card).focus();
  for (let press = 0; press < 20; press++) await page.keyboard.down("Enter");
  await expect(confirm(card)).toBeEnabled();
  for (let press = 0; press < 20; press++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  expect(await desk.requests()).toHaveLength(1);
  await expect(confirm(card)).toBeVisible();
});

test("Escape, leaving and five seconds disarm", async ({ page, desk }) => {
  const { card } = await shown(page, desk);
  await approve(card).click();
  await expect(confirm(card)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(confirm(card)).toHaveCount(0);
  await expect(approve(card)).toBeFocused();

  await approve(card).click();
  await expect(confirm(card)).toBeFocused();
  await card.getByLabel("Your words to the desk").focus();
  await expect(confirm(card)).toHaveCount(0);

  await approve(card).click();
  await expect(confirm(card)).toBeVisible();
  await expect(confirm(card)).toHaveCount(0);
  await expect(approve(card)).toBeFocused();
  expect(await desk.requests()).toHaveLength(1);
});

test("the keyboard alone reaches the card and approves", async ({ page, desk }) => {
  const { card } = await shown(page, desk);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "To what waits" })).toBeFocused();
  await page.keyboard.press("Enter");
  for (let tabs = 0; tabs < 10 && !(await approve(card).evaluate((it) => it === document.activeElement)); tabs++) {
    await page.keyboard.press("Tab");
  }
  await expect(approve(card)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(confirm(card)).toBeFocused();
  await expect(confirm(card)).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(card.getByText(/^Approved by ann/)).toBeVisible();
});

test("P5: a decision that comes too late says who decided what, and keeps the words", async ({
  page,
  desk,
  provoked,
}) => {
  provoked.add(409);
  const { card, request } = await shown(page, desk);
  await card.getByLabel("Your words to the desk").fill("Half of it would do.");
  // The page does not hear of it before it decides.
  let decides = false;
  await page.route("**/api/requests**", async (route) => {
    const { pathname } = new URL(route.request().url());
    decides ||= route.request().method() === "POST";
    if (decides) await route.continue();
    else
      await route.fulfill({ json: { asOf: 0, ...(pathname === "/api/requests" ? { requests: [request] } : request) } });
  });
  await desk.post(`/api/requests/${request.id}/decision`, {
    decision: "deny",
    digest: request.digest,
    note: "Too big.",
  });
  await approve(card).click();
  await confirm(card).click();
  await expect(card.getByText(/^Denied by ann at /)).toBeVisible();
  await expect(card.getByRole("alert")).toBeVisible();
  await expect(card.getByLabel("Your words, which were not sent")).toHaveValue("Half of it would do.");
  await expect(approve(card)).toHaveCount(0);
});

test("P5: a card that was decided elsewhere stays without live buttons, with the words that were typed", async ({
  page,
  desk,
}) => {
  const { card, request } = await shown(page, desk);
  await card.getByLabel("Your words to the desk").fill("I was still writing");
  await desk.post(`/api/requests/${request.id}/decision`, { decision: "deny", digest: request.digest });
  await expect(card.getByText(/^Denied by ann at /)).toBeVisible();
  await expect(card.getByLabel("Your words, which were not sent")).toHaveValue("I was still writing");
  await expect(card.getByRole("button")).toHaveCount(0);
  await expect(page).toHaveTitle("Deskboard");
  await page.getByRole("button", { name: "Put R-1 away" }).click();
  await expect(card).toHaveCount(0);
});

test("a call without a ticket is confirmed by its tool and the number of its arguments", async ({ page, desk }) => {
  await desk.does(payment("for March"));
  await page.goto("/");
  const card = page.getByRole("article", { name: /pay_invoice/ });
  await card.getByRole("button", { name: "Approve…" }).click();
  await card.getByRole("button", { name: "Approve pay_invoice with 4 arguments" }).click();
  await expect(card.getByText("Paid 120.50 to Acme.")).toBeVisible();
});

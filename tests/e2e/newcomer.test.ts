import { startServer } from "#tests/support/server.ts";
import { expect, test } from "./support/board-test.ts";

test.use({
  // oxlint-disable-next-line no-empty-pattern -- the runner reads what a fixture needs from its first parameter
  server: async ({}, use) => {
    const server = await startServer({ demo: true, env: { MARKET_DAY_SECONDS: "60" } });
    await use(server);
    await server.stop();
  },
});

test("P4: a newcomer sees the desk's hold, approves it in two steps and sees what became of it", async ({ page }) => {
  await page.goto("/");
  const card = page.getByRole("article", { name: /Hold/ });
  await expect(card.getByRole("row", { name: "symbol EURUSD" })).toBeVisible();
  await expect(card.getByText("Why it waits.")).toBeVisible();
  await expect(page).toHaveTitle(/^\(\d+\) Deskboard$/);
  await card.getByRole("button", { name: "Approve…" }).click();
  await card.getByRole("button", { name: /^Approve (BUY|SELL) [\d,]+ EURUSD/ }).click();
  await expect(card.getByText(/^Approved by operator at .* It ran\.$/)).toBeVisible();
  await expect(card.getByText("The result of place_order")).toBeVisible();
  await expect(card.getByRole("button", { name: "Approve…" })).toHaveCount(0);
});

test("a newcomer writes to the desk and reads its answer among the events", async ({ page }) => {
  await page.goto("/");
  const box = page.getByLabel("Write to majors");
  await box.fill("status");
  await box.press("Control+Enter");
  await expect(page.getByText("Sent to majors.")).toBeVisible();
  await expect(box).toHaveValue("");
  const events = page.getByRole("list", { name: "Events" });
  await expect(events.getByText(/Cash [\d,.]+ USD/)).toBeVisible();
});

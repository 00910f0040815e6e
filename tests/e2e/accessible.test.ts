import { AxeBuilder } from "@axe-core/playwright";
import { resolve } from "node:path";
import { type Desk, expect, test } from "./support/board-test.ts";
import type { Page } from "playwright/test";
import { asks, order, parcel, sizeQuestion, stopQuestion } from "./support/drill-steps.ts";

const artifacts = resolve(import.meta.dirname, "../artifacts");
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

async function everythingWaits(page: Page, desk: Desk): Promise<void> {
  await desk.does({ say: "I looked at the market.\nIt **fell**." }, order, asks(stopQuestion, sizeQuestion), parcel);
  await expect.poll(() => desk.requests()).toHaveLength(3);
  await page.goto("/");
  await expect(page.getByRole("article")).toHaveCount(3);
  await expect(page.getByRole("columnheader", { name: /^now \d|^now$/ })).toBeVisible();
}

for (const colorScheme of ["dark", "light"] as const) {
  for (const [name, viewport] of Object.entries(sizes)) {
    test(`the ${name} page passes axe in ${colorScheme}, and nothing is wider than it`, async ({ page, desk }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize(viewport);
      await everythingWaits(page, desk);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
      await page.screenshot({ path: `${artifacts}/${name}-${colorScheme}.png`, fullPage: name === "phone" });
      await page.getByRole("button", { name: "Approve…" }).click();
      await expect(page.getByRole("button", { name: /^Approve BUY/ })).toBeEnabled();
      await page.screenshot({ path: `${artifacts}/${name}-${colorScheme}-armed.png` });
    });
  }
}

test("nothing moves while the page polls", async ({ page, desk }) => {
  await everythingWaits(page, desk);
  const places = () =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll("button, textarea, input, article"), (it) => {
        const { x, y, width, height } = it.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      }),
    );
  const before = await places();
  for (let reads = 0; reads < 2; reads++) {
    await page.waitForResponse((response) => new URL(response.url()).pathname.startsWith("/api/requests/"));
    expect(await places()).toEqual(before);
  }
});

import type { Locator, Page } from "playwright/test";
import { type Desk, expect, test } from "./support/board-test.ts";
import { asks, sizeQuestion, stopQuestion } from "./support/drill-steps.ts";

async function shown(page: Page, desk: Desk, ...questions: unknown[]): Promise<Locator> {
  await desk.does(asks(...questions));
  await page.goto("/");
  const card = page.getByRole("article", { name: /Question/ });
  await expect(card.getByRole("button", { name: "Send" })).toBeVisible();
  return card;
}

const heard = (page: Page, answers: unknown) =>
  page.getByRole("list", { name: "Events" }).getByText(`Answers: ${JSON.stringify(answers)}`);

test("a question is answered with an option, with its preview beside it", async ({ page, desk }) => {
  const card = await shown(page, desk, stopQuestion);
  await expect(card.getByText("Missing: Stop")).toBeVisible();
  await card.getByRole("radio", { name: "Swing" }).check();
  await expect(card.getByRole("region", { name: "Preview of Swing" })).toContainText("Swing words.");
  await expect(card.getByRole("cell", { name: "1.15900" })).toBeVisible();
  await card.getByRole("radio", { name: "Wide" }).focus();
  await expect(card.getByText("This choice has no preview.")).toBeVisible();
  await card.getByRole("radio", { name: "Swing" }).focus();
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByText(/^Answered by ann at /)).toBeVisible();
  await expect(heard(page, [[["Swing"], null]])).toBeVisible();
});

test("P9: several questions: each answer arrives word for word at its own question", async ({ page, desk }) => {
  const card = await shown(page, desk, stopQuestion, sizeQuestion);
  const hours = card.getByRole("group", { name: /When may it trade/ });
  const words = '  only before close; "not" <b>after</b>  ';
  await hours.getByRole("checkbox", { name: "At the open" }).check();
  await hours.getByRole("checkbox", { name: "At noon" }).check();
  await hours.getByRole("textbox").fill(words);
  await expect(card.getByText("Missing: Stop")).toBeVisible();
  // Send says what is missing and goes there.
  await card.getByRole("button", { name: "Send" }).click();
  await expect(card.getByRole("radio", { name: "Tight" })).toBeFocused();
  expect(await desk.requests()).toHaveLength(1);
  const stop = card.getByRole("group", { name: /Which stop/ });
  await stop.getByRole("textbox").fill("At 1.1580, and no lower");
  await expect(stop.getByRole("radio", { name: "Other" })).toBeChecked();
  await card.getByRole("button", { name: "Send" }).click();
  await expect(
    heard(page, [
      [[], "At 1.1580, and no lower"],
      [["At the open", "At noon"], words],
    ]),
  ).toBeVisible();
});

test("P14: what was chosen and typed survives a reload", async ({ page, desk }) => {
  const card = await shown(page, desk, stopQuestion, sizeQuestion);
  await card
    .getByRole("group", { name: /Which stop/ })
    .getByRole("textbox")
    .fill("Half way");
  await card.getByRole("checkbox", { name: "At noon" }).check();
  await page.reload();
  await expect(card.getByRole("group", { name: /Which stop/ }).getByRole("textbox")).toHaveValue("Half way");
  await expect(card.getByRole("radio", { name: "Other" })).toBeChecked();
  await expect(card.getByRole("checkbox", { name: "At noon" })).toBeChecked();
});

test("words at Other stay when another choice is taken, and are not sent then", async ({ page, desk }) => {
  const card = await shown(page, desk, stopQuestion);
  await card.getByRole("textbox").fill("Something else");
  await card.getByRole("radio", { name: "Tight" }).check();
  await expect(card.getByText("These words are not sent unless Other is chosen.")).toBeVisible();
  await expect(card.getByRole("textbox")).toHaveValue("Something else");
  await card.getByRole("button", { name: "Send" }).click();
  await expect(heard(page, [[["Tight"], null]])).toBeVisible();
});

test("the keyboard alone answers", async ({ page, desk }) => {
  const card = await shown(page, desk, stopQuestion);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(card.getByRole("radio", { name: "Tight" })).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await expect(card.getByRole("radio", { name: "Swing" })).toBeChecked();
  await page.keyboard.press("Control+Enter");
  await expect(card.getByText(/^Answered by ann at /)).toBeVisible();
});

test("dismissing takes two steps, and the desk hears of it", async ({ page, desk }) => {
  const card = await shown(page, desk, stopQuestion);
  await card.getByRole("button", { name: "Dismiss…" }).click();
  expect(await desk.requests()).toHaveLength(1);
  await card.getByRole("button", { name: "Dismiss R-1 without an answer" }).click();
  await expect(card.getByText(/^Dismissed by ann at /)).toBeVisible();
  await expect(page.getByRole("list", { name: "Events" }).getByText(/"state":"dismissed"/)).toBeVisible();
});

test("P14: what the server finds wrong stands at its question", async ({ page, desk, provoked }) => {
  provoked.add(400);
  const card = await shown(page, desk, stopQuestion, sizeQuestion);
  await card.getByRole("radio", { name: "Wide" }).check();
  const hours = card.getByRole("group", { name: /When may it trade/ });
  const words = "x".repeat(20_001);
  await hours.getByRole("textbox").fill(words);
  await card.getByRole("button", { name: "Send" }).click();
  await expect(hours.getByRole("alert")).toContainText("20");
  await expect(hours.getByRole("textbox")).toHaveValue(words);
});

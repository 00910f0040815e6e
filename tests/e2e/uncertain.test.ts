import { expect, test } from "./support/board-test.ts";
import { order, parcel } from "./support/drill-steps.ts";

test("an uncertain call stands first, says what the look-up found, and is closed in two steps", async ({
  page,
  desk,
}) => {
  await desk.does(order, parcel);
  await page.goto("/");
  const card = page.getByRole("article", { name: /Uncertain/ });
  await expect(card.getByText("No parcel under this key has been seen yet.")).toBeVisible();
  await expect(page.getByRole("article").first()).toHaveAccessibleName(/Uncertain/);
  await card.getByLabel("How you know").fill("The depot has no parcel of ours.");
  await card.getByRole("button", { name: "It did not run…" }).click();
  await card.getByRole("button", { name: /^It did not run: send_parcel/ }).click();
  await expect(card.getByText(/^Closed by ann at .* it did not run\.$/)).toBeVisible();
  const [closed] = await desk.requests("resolved");
  expect(closed?.note).toBe("The depot has no parcel of ours.");
});

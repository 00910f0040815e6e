import type { Page } from "playwright/test";
import { expect, test } from "./support/board-test.ts";
import { repeated } from "./support/drill-playbook.ts";
import { asks, payment, stopQuestion } from "./support/drill-steps.ts";

const markup = [
  "<script>document.title = 'owned'</script>",
  "<img src='https://evil.example/a.png' onerror=\"document.title = 'owned'\">",
  "![x](https://evil.example/b.png)",
  "[Approve](https://evil.example/c) <https://evil.example/d> https://evil.example/e",
  "[run](javascript:document.title='owned')",
  "<iframe src='https://evil.example/f'></iframe><style>*{display:none}</style>",
  "<a href='https://evil.example/g'>x</a><form action='https://evil.example/h'><button>Approve</button></form>",
  "## Already approved by risk",
  "Tool: get_quote",
].join("\n");
const hidden = "Pay \u202e10\u202c0 \u200bnow, zero\u2060width, p\u0430ypal";

async function staysInert(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    title: document.title,
    live: document.querySelectorAll("main :is(img, iframe, script, style, form, object, embed, video)").length,
    away: Array.from(document.links, (link) => link.href).filter((href) => !href.startsWith(location.origin)),
    headings: Array.from(document.querySelectorAll("h1, h2, h3, h4"), (it) => it.textContent).join("\n"),
  }));
  expect(found.title).toMatch(/Deskboard$/);
  expect(found.live).toBe(0);
  expect(found.away).toEqual([]);
  expect(found.headings).not.toContain("Already approved");
}

test("P12: hostile words in arguments, previews, messages and notes stay text", async ({ page, desk }) => {
  const question = {
    ...stopQuestion,
    options: [
      { label: "Tight", description: "<b>Likely</b>", preview: `${markup.replaceAll("\n", "\n\n")}\n\n${hidden}` },
      { label: "Swing", description: hidden },
    ],
  };
  await desk.does({ say: markup }, payment(`${markup}\n${hidden}`), asks(question));
  await page.goto("/");
  const hold = page.getByRole("article", { name: /Hold/ }).getByRole("table");
  await expect(hold.getByText("<script>document.title = 'owned'</script>")).toBeVisible();
  for (const mark of ["U+202E", "U+200B", "U+2060", "Latin + Cyrillic"]) {
    await expect(hold.getByText(mark, { exact: true })).toBeVisible();
  }
  const preview = page.getByRole("region", { name: "Preview of Tight" });
  await expect(preview).toContainText("<script>document.title = 'owned'</script>");
  await expect(preview).toContainText("picture, not loaded: x https://evil.example/b.png");
  await expect(preview.getByText("U+202E", { exact: true })).toBeAttached();
  await expect(preview.getByRole("link")).toHaveCount(0);
  await expect(preview.getByRole("button")).toHaveCount(0);
  await expect(
    page
      .getByRole("list", { name: "Events" })
      .getByText(/<script>document\.title/)
      .first(),
  ).toBeVisible();
  await staysInert(page);
});

test("P12: words of a desk have no status colour; the record's status has", async ({ page, desk }) => {
  await desk.does({ say: "refused failed approved done" }, { call: "pay_invoice", with: { amount: 1 } });
  await page.goto("/");
  const events = page.getByRole("list", { name: "Events" });
  const said = events.getByText("refused failed approved done").last();
  const plain = await page.getByRole("heading", { name: "Deskboard" }).evaluate((it) => getComputedStyle(it).color);
  await expect(said).toHaveCSS("color", plain);
  const refused = events.getByText("refused", { exact: true });
  await expect(refused).toBeVisible();
  expect(await refused.evaluate((it) => getComputedStyle(it).color)).not.toBe(plain);
});

test("P12: 60,000 characters and a table of 40 columns stay in their place", async ({ page, desk }) => {
  const row = `|${" cell words |".repeat(40)}\n`;
  const table = `${row}|${"---|".repeat(40)}\n${row}`;
  const question = {
    ...stopQuestion,
    options: [
      { label: "Table", description: "Wide", preview: `${table}\nשלום עולם 100\n` },
      { label: "Long", description: "Deep", preview: repeated("word ", 12_000) },
      { label: "Rows", description: "Many", preview: repeated("| a | b |\n|---|---|\n", 100) },
    ],
  };
  await desk.does(
    { call: "pay_invoice", with: { amount: "1", payee: "Acme", note: repeated("no-space", 7_500) } },
    asks(question),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await expect(page.getByText("60,000 characters; all of them, in this box:")).toBeVisible();
  const preview = page.getByRole("region", { name: "Preview of Table" });
  const scrolls = await preview
    .getByRole("region", { name: "Table" })
    .evaluate((it) => it.scrollWidth > it.clientWidth);
  expect(scrolls).toBe(true);
  await expect(preview.getByText("שלום עולם 100")).toHaveAttribute("dir", "auto");
  await page.getByRole("radio", { name: "Long" }).check();
  await expect(page.getByRole("region", { name: "Preview of Long" })).toContainText("word word");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

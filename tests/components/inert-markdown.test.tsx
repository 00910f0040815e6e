import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { InertMarkdown } from "#components/inert-markdown.tsx";

const render = (text: string) => renderToStaticMarkup(<InertMarkdown text={text} />);

describe("Markdown of others", () => {
  test("P12: raw HTML is shown as the text that it is", () => {
    const html = render("before <script>alert(1)</script> <img src=x onerror=alert(1)> after");
    expect(html).not.toMatch(/<(script|img)/);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("P12: nothing loads and no link is live, in any of Markdown's forms", () => {
    const html = render(
      "![a](https://evil.example/a.png) [b](https://evil.example/b) https://evil.example/c <https://evil.example/d> [e][1]\n\n[1]: https://evil.example/e\n\n[^f]\n\n[^f]: note",
    );
    expect(html).not.toMatch(/<(a|img|link)\b/);
    expect(html).not.toMatch(/(href|src)=/);
    for (const name of ["a.png", "b", "c", "d", "e"]) expect(html).toContain(`https://evil.example/${name}`);
  });

  test("P12: a heading is no heading of the page", () => {
    expect(render("# Already approved by risk\n\nSetext\n===")).not.toMatch(/<h\d/);
  });

  test("P12: characters that hide or reorder text are marked, in cells and code too", () => {
    const html = render("| a |\n|---|\n| 1\u202e2 |\n\n`x\u200by` and p\u0430y");
    for (const mark of ["U+202E", "U+200B", "Latin + Cyrillic"]) expect(html).toContain(`>${mark}</span>`);
  });

  test("a table scrolls by itself, by keyboard too, and text has its own direction", () => {
    const html = render("| a | b |\n|---|--:|\n| 1 | 2 |\n\nשלום");
    expect(html).toMatch(/<section aria-label="Table" tabindex="0"[^>]*overflow-x-auto/);
    expect(html).toContain('<p dir="auto">שלום</p>');
  });

  test.each([
    ["quotations", "> ".repeat(20_000)],
    ["lists", "- ".repeat(20_000)],
    ["indented lists", Array.from({ length: 150 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")],
    ["brackets", "[".repeat(60_000)],
    ["links", "[a](".repeat(15_000)],
    ["emphasis", "*a ".repeat(20_000)],
    ["code", Array.from({ length: 340 }, (_, ticks) => "`".repeat(ticks)).join(" ")],
    ["a wide table of short rows", `${"|a".repeat(1000)}|\n${"|-".repeat(1000)}|\n${"|b|\n".repeat(14_000)}`],
    ["a table of 6,000 rows", `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(6_000)}`],
  ])("P12: %s beyond reason are shown as they were written, at once", (_, text) => {
    const started = performance.now();
    expect(render(`${text}\nthe end`)).toContain("the end");
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test("a table of 40 columns and one of 2,000 rows are tables", () => {
    const wide = `|${" a |".repeat(40)}\n|${"---|".repeat(40)}\n|${" b |".repeat(40)}`;
    expect(render(wide)).toContain("<table");
    expect(render(`| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(2_000)}`)).toContain("<table");
  });
});

import { expect, type Page } from "playwright/test";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { CutOffProxy } from "#tests/support/cut-off-proxy.ts";
import { startServer } from "#tests/support/server.ts";
import { test as boardTest, type Desk, watchPage } from "./board-test.ts";

interface LiveFixtures {
  /** The line of the second browser. */
  line: CutOffProxy;
  /** A page in a second browser, which reaches the server through the proxy. */
  other: Page;
  /** Ends the server without a word; the returned function starts it again on the same data. */
  crash: () => Promise<() => Promise<void>>;
}

const entry = "tests/e2e/support/drill-server.ts";
const envOf = (line: CutOffProxy) => ({ OPERATOR_NAME: "ann", PUBLIC_URL: line.url });

/** A test with two browsers at one server. */
export const test = boardTest.extend<LiveFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- the runner reads what a fixture needs from its first parameter
  line: async ({}, use) => {
    const proxy = await CutOffProxy.start();
    await use(proxy);
    proxy.close();
  },
  server: async ({ line }, use) => {
    const server = await startServer({ entry, env: envOf(line) });
    line.target = server.port;
    await use(server);
    await server.stop();
  },
  other: async ({ browser, line, provoked, outage, server: _server }, use) => {
    const context = await browser.newContext({ baseURL: line.url });
    const page = await context.newPage();
    const wrong = watchPage(page, line.url, { provoked, outage });
    await use(page);
    await context.close();
    if (wrong.length > 0) throw new Error(`the other page did wrong:\n${wrong.join("\n")}`);
  },
  crash: async ({ server, line, outage }, use) => {
    const ends: (() => Promise<unknown>)[] = [];
    await use(async () => {
      outage.expected = true;
      server.process.kill("SIGKILL");
      await server.ended;
      return async () => {
        const next = await startServer({ entry, env: envOf(line), port: server.port, dataDir: server.dataDir });
        ends.push(() => next.stop());
      };
    });
    for (const end of ends) await end();
  },
});

/** What a page shows of the timeline, row by row. */
function shownEvents(page: Page): Promise<string[]> {
  return page
    .getByRole("list", { name: "Events" })
    .locator("li[id^=e]")
    .evaluateAll((rows) =>
      rows.map((row) => {
        const time = row.querySelector("a")?.title ?? "";
        const text = row.textContent ?? "";
        // What the desk was told to say is not yet said.
        const said = text.includes("say") ? "" : (/\bword \d+/i.exec(text)?.[0] ?? "");
        return `${row.id} ${time} ${said}`.toLowerCase();
      }),
    );
}

/** The same of the database. */
async function storedEvents(desk: Desk): Promise<string[]> {
  const { events } = await desk.get<{ events: DeskEvent[] }>("/api/events?after=0&limit=500");
  return events.map(({ position, at, kind, payload }) => {
    const time = `event ${position}, ${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
    const said = kind === "message" && payload.from === "desk" ? payload.text : "";
    return `e${position} ${time} ${/\bword \d+\b/i.exec(said)?.[0] ?? ""}`.toLowerCase();
  });
}

/** Waits until a page shows every event of the database, each once and in order, and nothing else. */
export async function expectEqualToDatabase(page: Page, desk: Desk, timeout = 10_000): Promise<void> {
  await expect(async () => expect(await shownEvents(page)).toEqual(await storedEvents(desk))).toPass({
    timeout,
    intervals: [50],
  });
}

/** So many words of a desk, one event each. */
export function words(from: number, to: number): { say: string }[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({ say: `Word ${from + index}` }));
}

export { expect } from "playwright/test";

import { type Page, test as base } from "playwright/test";
import type { RequestView } from "#lib/protocol/views.ts";
import { startServer, type TestServer } from "#tests/support/server.ts";
import type { DrillStep } from "./drill-playbook.ts";

/** What the tests' desk does, and what the server says, without the page. */
export interface Desk {
  /** Lets the desk do these steps in one turn. */
  does(...steps: DrillStep[]): Promise<void>;
  post(path: string, body: unknown): Promise<Response>;
  get<T>(path: string): Promise<T>;
  requests(state?: string): Promise<RequestView[]>;
}

interface Fixtures {
  /** Statuses that this test provokes; any other answer of 400 and above fails it. */
  provoked: Set<number>;
  /** Whether the server goes away in this test, and the origin of another one that the test starts. */
  outage: { expected: boolean; origin?: string };
  server: TestServer;
  desk: Desk;
}

async function json(url: string, method: string, body?: unknown): Promise<Response> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  return fetch(url, { method, ...init });
}

/** Fails a test for whatever goes wrong in its page: errors, refused requests, requests to another origin. */
export function watchPage(
  page: Page,
  origin: string,
  { provoked, outage }: Pick<Fixtures, "provoked" | "outage">,
): string[] {
  const wrong: string[] = [];
  page.on("console", (message) => {
    const isSocket = message.text().startsWith("WebSocket connection to") && outage.expected;
    const isAnswer = isSocket || message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !isAnswer) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    if (![origin, outage.origin].includes(new URL(request.url()).origin))
      wrong.push(`another origin: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    // The page itself lets go of what it does not need any more.
    if (why !== "net::ERR_ABORTED" && !outage.expected) wrong.push(`failed: ${request.url()} ${why}`);
  });
  page.on("response", (response) => {
    const status = response.status();
    if (status >= 400 && !provoked.has(status)) wrong.push(`${status}: ${response.url()}`);
  });
  return wrong;
}

/** A test with a fresh server, a desk that does what the test says, and a page that may not do anything wrong. */
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- the runner reads what a fixture needs from its first parameter
  provoked: async ({}, use) => use(new Set()),
  // oxlint-disable-next-line no-empty-pattern -- as above
  outage: async ({}, use) => use({ expected: false }),
  // oxlint-disable-next-line no-empty-pattern -- as above
  server: async ({}, use) => {
    const server = await startServer({ entry: "tests/e2e/support/drill-server.ts", env: { OPERATOR_NAME: "ann" } });
    await use(server);
    await server.stop();
  },
  desk: async ({ server }, use) => {
    const made = await json(`${server.url}/api/desks`, "POST", {
      name: "drill",
      backends: ["playbook:drill"],
      toolsets: ["ask_user", "market", "notes", "paper_account", "drill"],
    });
    if (made.status !== 201) throw new Error(`no desk: ${made.status} ${await made.text()}`);
    const desk: Desk = {
      post: (path, body) => json(`${server.url}${path}`, "POST", body),
      get: async <T>(path: string) => (await (await json(`${server.url}${path}`, "GET")).json()) as T,
      async requests(state = "pending") {
        return (await desk.get<{ requests: RequestView[] }>(`/api/requests?state=${state}`)).requests;
      },
      async does(...steps) {
        const sent = await desk.post("/api/desks/drill/messages", { text: JSON.stringify(steps) });
        if (sent.status !== 202) throw new Error(`not sent: ${sent.status} ${await sent.text()}`);
      },
    };
    await use(desk);
  },
  page: async ({ page, server, provoked, outage }, use) => {
    const wrong = watchPage(page, server.url, { provoked, outage });
    await use(page);
    if (wrong.length > 0) throw new Error(`the page did wrong:\n${wrong.join("\n")}`);
  },
  baseURL: async ({ server }, use) => use(server.url),
});

export { expect } from "playwright/test";

import type { z } from "zod";
import { routes, type RouteName } from "#lib/protocol/routes.ts";
import type { CallView, DeskView, RequestView } from "#lib/protocol/views.ts";
import { askJson, type HttpAnswer } from "./http.ts";
import { startServer, type ServerOptions, type TestServer } from "./server.ts";

interface Call {
  name: string;
  arguments?: unknown;
}

/** Asks until the answer is as wanted; it is what happens elsewhere that is waited for, so there is nothing to await. */
export async function until<T>(read: () => Promise<T | undefined>, boundMs = 15_000): Promise<T> {
  const end = Date.now() + boundMs;
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`not seen within ${boundMs} ms: ${read.toString()}`);
    await new Promise((later) => setTimeout(later, 20));
  }
}

/** A server with one desk, `majors`, that makes the calls which it is told to. */
export class ToldDesk {
  readonly server: TestServer;

  private constructor(server: TestServer) {
    this.server = server;
  }

  static async start(options: ServerOptions = {}): Promise<ToldDesk> {
    const told = new ToldDesk(await startServer({ ...options, entry: "tests/support/desk-server.ts" }));
    const desks = await told.get<{ desks: DeskView[] }>("/api/desks");
    if (desks.desks.length === 0) {
      const toolsets = ["ask_user", "market", "notes", "paper_account"];
      await told.post("/api/desks", { name: "majors", backends: ["playbook:told"], toolsets });
    }
    return told;
  }

  /** What a route's path answers, which must be its success. */
  async get<T>(path: string): Promise<T> {
    return succeeded(await askJson(this.server.port, "GET", path)) as T;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return succeeded(await askJson(this.server.port, "POST", path, body)) as T;
  }

  /** A write whose answer is the test's subject. */
  send(path: string, body: unknown): Promise<HttpAnswer> {
    return askJson(this.server.port, "POST", path, body);
  }

  /** The reply of a route, checked against its schema. */
  async reply<N extends RouteName>(
    name: N,
    path: string,
    body?: unknown,
  ): Promise<z.output<NonNullable<(typeof routes)[N]["reply"]>>> {
    const route = routes[name];
    const answer = await askJson(this.server.port, route.method, path, body);
    if (answer.status !== route.status) throw new Error(`${name}: ${answer.status} ${answer.text}`);
    return route.reply?.parse(answer.json) as z.output<NonNullable<(typeof routes)[N]["reply"]>>;
  }

  /** Has the desk make calls, and waits until the turn has ended. */
  async tell(...calls: readonly Call[]): Promise<CallView[]> {
    const text = JSON.stringify(calls);
    const { triggerId } = await this.post<{ triggerId: string }>("/api/desks/majors/messages", { text });
    return until(async () => {
      const { events } = await this.get<{ events: { kind: string }[] }>(
        `/api/events?trigger=${triggerId}&kind=turn_ended`,
      );
      if (events.length === 0) return undefined;
      return (await this.get<{ calls: CallView[] }>(`/api/calls?trigger=${triggerId}`)).calls.toReversed();
    });
  }

  /** Has the desk ask for an order, which is held. */
  async hold(quantity: string, more: object = {}): Promise<RequestView> {
    const order = { symbol: "EURUSD", side: "buy", quantity, ...more };
    return this.#requestOf(await this.tell({ name: "place_order", arguments: order }));
  }

  /** Has the desk ask its people something. */
  async ask(questions: unknown): Promise<RequestView> {
    return this.#requestOf(await this.tell({ name: "ask_user", arguments: { questions } }));
  }

  /** A request once it is in one of these states. */
  inState(id: string, ...states: readonly RequestView["state"][]): Promise<RequestView> {
    return until(async () => {
      const request = await this.get<RequestView>(`/api/requests/${id}`);
      return states.includes(request.state) ? request : undefined;
    });
  }

  async #requestOf(calls: readonly CallView[]): Promise<RequestView> {
    const id = calls.at(-1)?.requestId;
    if (!id) throw new Error(`nothing waits: ${JSON.stringify(calls)}`);
    return this.get<RequestView>(`/api/requests/${id}`);
  }
}

function succeeded(answer: HttpAnswer): unknown {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.json;
}

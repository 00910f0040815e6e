import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { array, assert, asyncProperty, constantFrom, integer, record } from "fast-check";
import { expect, test, vi } from "vitest";
import { eventsKey, LiveTimeline } from "#components/data/live-timeline.ts";
import type { TimelineEvent, TimelinePiece } from "#components/data/merge-events.ts";
import type { LiveEvent } from "#lib/protocol/socket.ts";
import type { EventPage } from "#lib/protocol/views.ts";

/** A busy machine is slow, and that is not what is tested. */
vi.setConfig({ testTimeout: 40_000 });
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 5 });

const eventAt = (position: number, source = "one") =>
  ({ position, kind: "message", payload: { text: `${position}` }, hash: `${source} ${position}` }) as TimelineEvent;

/** A database whose pages arrive when the test says so. */
class SlowServer {
  readonly events: TimelineEvent[] = [];
  readonly #answers: (() => void)[] = [];

  commit(source?: string): LiveEvent {
    const event = eventAt(this.events.length + 1, source);
    this.events.push(event);
    return event;
  }

  /** The page is as of the time when it was asked for. */
  readonly read = async (
    { after, limit }: { after?: number; limit: number },
    signal?: AbortSignal,
  ): Promise<EventPage> => {
    const found = after === undefined ? this.events.slice(-limit) : this.events.slice(after, after + limit);
    const page = { events: found, head: this.events.length, more: found.length === limit };
    const { promise, resolve, reject } = Promise.withResolvers<EventPage>();
    signal?.addEventListener("abort", () => reject(new Error("aborted")));
    this.#answers.push(() => resolve(page));
    return promise;
  };

  answer(): void {
    this.#answers.shift()?.();
  }
}

function shownTimeline(server: SlowServer) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const timeline = new LiveTimeline(client, server.read);
  const observer = new QueryObserver<TimelinePiece>(client, {
    queryKey: eventsKey,
    queryFn: ({ signal }) => timeline.read(signal),
    structuralSharing: false,
  });
  const states: TimelinePiece[] = [];
  const end = observer.subscribe(({ data }) => void (data && states.push(data)));
  const shown = () => client.getQueryData<TimelinePiece>(eventsKey)?.events ?? [];
  return { client, timeline, states, shown, end };
}

const settle = () => new Promise((later) => setImmediate(later));

test("P11: whatever is lost, late, doubled or out of order: no gap at any moment, and in the end the database", async () => {
  const step = record({
    what: constantFrom(
      "commit",
      "commit",
      "deliver",
      "lose",
      "repeat",
      "late",
      "large",
      "answer",
      "heads",
      "reconnect",
    ),
    pick: integer({ min: 0, max: 1_000 }),
  });
  await assert(
    asyncProperty(array(step, { maxLength: 60 }), integer({ min: 0, max: 130 }), async (steps, before) => {
      const server = new SlowServer();
      for (let n = 0; n < before; n += 1) server.commit();
      const { client, timeline, states, shown, end } = shownTimeline(server);
      const onTheWay: LiveEvent[] = [];
      for (const { what, pick } of steps) {
        const late = onTheWay.length === 0 ? 0 : pick % onTheWay.length;
        if (what === "commit") onTheWay.push(server.commit());
        else if (what === "deliver" && onTheWay[0]) timeline.take(onTheWay.shift()!);
        else if (what === "lose") onTheWay.shift();
        else if (what === "repeat" && server.events.length > 0)
          timeline.take(server.events[pick % server.events.length]!);
        else if (what === "late" && onTheWay.length > 0) timeline.take(onTheWay.splice(late, 1)[0]!);
        else if (what === "large" && onTheWay[0]) timeline.take({ ...onTheWay.shift()!, payload: null, size: 40_000 });
        else if (what === "answer") server.answer();
        else if (what === "heads") timeline.noteHead(server.events.length);
        else if (what === "reconnect") timeline.connected(server.events.length);
        if (pick % 3 === 0) await settle();
      }
      timeline.noteHead(server.events.length);
      await eventually(() => {
        server.answer();
        expect(shown().length === 0 ? 0 : shown().at(-1)?.position).toBe(server.events.length);
        expect(client.isFetching()).toBe(0);
      });
      for (const { events } of states) {
        const first = events[0]?.position ?? 1;
        expect(events).toEqual(server.events.slice(first - 1, first - 1 + events.length));
      }
      end();
      client.clear();
    }),
    { numRuns: 150 },
  );
});

test("P11: a server that has another record, such as a copy that was restored, is read anew", async () => {
  const server = new SlowServer();
  for (let n = 0; n < 10; n += 1) server.commit();
  const { timeline, shown, end } = shownTimeline(server);
  await eventually(() => {
    server.answer();
    expect(shown()).toHaveLength(10);
  });
  server.events.splice(6);
  for (let n = 0; n < 8; n += 1) server.commit("another");
  timeline.connected(server.events.length);
  await eventually(() => {
    server.answer();
    expect(shown()).toEqual(server.events);
  });
  // And one that has less than the page.
  server.events.splice(3);
  timeline.connected(3);
  await eventually(() => {
    server.answer();
    expect(shown()).toEqual(server.events);
  });
  end();
});

test("the rows stay bounded while nobody shows them", async () => {
  const server = new SlowServer();
  server.commit();
  const { timeline, shown, end } = shownTimeline(server);
  await eventually(() => {
    server.answer();
    expect(shown()).toHaveLength(1);
  });
  end();
  for (let n = 0; n < 2_000; n += 1) timeline.take(server.commit());
  expect(shown().length).toBeLessThanOrEqual(1_000);
  expect(shown()).toEqual(server.events.slice(-shown().length));
});

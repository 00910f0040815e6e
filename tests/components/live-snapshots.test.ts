import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { LiveSnapshots, newerSnapshot } from "#components/data/live-snapshots.ts";
import type { LiveEvent } from "#lib/protocol/socket.ts";

/** A busy machine is slow, and that is not what is tested. */
vi.setConfig({ testTimeout: 40_000 });
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 5 });

const key = ["requests", "waiting"];
const change = (position: number, kind = "user_request_changed") =>
  ({ position, kind, payload: { requestId: "R1" } }) as LiveEvent;

function shownSnapshot() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const answers: ((asOf: number) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: key,
    queryFn: async () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      answers.push(resolve);
      return newerSnapshot(client, key, { asOf: await promise });
    },
  });
  const end = observer.subscribe(() => {});
  const asOf = () => client.getQueryData<{ asOf: number }>(key)?.asOf;
  return { client, answers, asOf, end, snapshots: new LiveSnapshots(client) };
}

test("P11: a snapshot is read again until it includes the newest event, and never twice at once", async () => {
  const { answers, asOf, end, snapshots } = shownSnapshot();
  for (let position = 1; position <= 50; position += 1) snapshots.take(change(position));
  expect(answers).toHaveLength(1);
  // It was asked for before the events.
  answers[0]?.(0);
  await eventually(() => expect(answers).toHaveLength(2));
  snapshots.take(change(51));
  answers[1]?.(50);
  await eventually(() => expect(answers).toHaveLength(3));
  answers[2]?.(51);
  await eventually(() => expect(asOf()).toBe(51));
  snapshots.take(change(52, "message"));
  snapshots.resume();
  expect(answers).toHaveLength(3);
  end();
});

test("P11: an older snapshot that arrives last does not win", async () => {
  const { client, answers, asOf, end } = shownSnapshot();
  client.setQueryData(key, { asOf: 7 });
  answers[0]?.(5);
  await eventually(() => expect(client.isFetching()).toBe(0));
  expect(asOf()).toBe(7);
  end();
});

test("P11: after a new connection to a record that has less, what is shown is read again and wins", async () => {
  const { client, answers, asOf, end, snapshots } = shownSnapshot();
  client.setQueryData(key, { asOf: 7 });
  answers[0]?.(7);
  await eventually(() => expect(client.isFetching()).toBe(0));
  snapshots.connected(3);
  await eventually(() => expect(answers).toHaveLength(2));
  answers[1]?.(3);
  await eventually(() => expect(asOf()).toBe(3));
  end();
});

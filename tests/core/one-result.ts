import { expect } from "vitest";
import type { TestDesk } from "#tests/support/desk.ts";

/** P3: each call has exactly one `tool_result`, behind its `tool_call`, and its row says the same. */
export async function expectOneResultEach(desk: Pick<TestDesk, "events" | "calls">): Promise<void> {
  const events = await desk.events();
  const asked = events.flatMap((event) => (event.kind === "tool_call" ? [event] : []));
  const ended = events.flatMap((event) => (event.kind === "tool_result" ? [event] : []));
  expect(ended.map((event) => event.payload.callId).toSorted()).toEqual(
    asked.map((event) => event.payload.callId).toSorted(),
  );
  for (const result of ended) {
    const call = asked.find((event) => event.payload.callId === result.payload.callId);
    expect(call?.position).toBeLessThan(result.position);
    expect(call?.payload.name).toBe(result.payload.name);
  }
  const rows = await desk.calls();
  expect(new Map(rows.map((row) => [row.id, [row.status, row.isError, row.resultText]]))).toEqual(
    new Map(ended.map(({ payload }) => [payload.callId, [payload.status, payload.isError, payload.text]])),
  );
}

import type { EventBus } from "#lib/core/event-bus.ts";
import { openTestDesk, type TestDesk, type TestDeskOptions } from "#tests/support/desk.ts";

/** Ends a desk's process and starts on the same record again, without its recovery. */
export async function startAgain(desk: TestDesk, options: TestDeskOptions): Promise<TestDesk> {
  await desk.live.close();
  const heard: { bus?: EventBus } = {};
  const record = await desk.record.reopen({ clock: desk.clock, publish: (events) => heard.bus?.publish(events) });
  const next = await openTestDesk({ ...options, clock: desk.clock, record });
  heard.bus = next.bus;
  return next;
}

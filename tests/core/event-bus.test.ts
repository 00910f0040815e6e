import { describe, expect, it } from "vitest";
import { EventBus } from "#lib/core/event-bus.ts";
import type { DeskEvent, DeskEventOf } from "#lib/protocol/events.ts";
import { keptLog } from "#tests/support/record.ts";

function message(position: number, text = "hello"): DeskEventOf<"message"> {
  return {
    position,
    deskName: "majors",
    seq: position,
    kind: "message",
    at: "2026-09-08T14:00:00.000Z",
    triggerId: null,
    payload: { from: "person", name: "ann", text },
    previousHash: "",
    hash: "",
  };
}

function started(position: number): DeskEventOf<"turn_started"> {
  return { ...message(position), kind: "turn_started", payload: { triggerId: "t1", run: 1, attempt: 1 } };
}

function openBus() {
  const log = keptLog();
  return { bus: new EventBus(log), log };
}

const ignore = (): void => {};

describe("the event bus", () => {
  it("tells every listener of every event, in order", () => {
    const { bus } = openBus();
    const heard: string[] = [];
    bus.subscribe((event) => heard.push(`one ${event.position}`));
    bus.subscribe((event) => heard.push(`two ${event.position}`));
    bus.publish([message(1), started(2)]);
    bus.publish([message(3)]);
    expect(heard).toEqual(["one 1", "two 1", "one 2", "two 2", "one 3", "two 3"]);
  });

  it("tells a listener of one kind of that kind only, with its own payload", () => {
    const { bus } = openBus();
    const texts: string[] = [];
    bus.on("message", (event) => texts.push(event.payload.text));
    bus.publish([message(1, "one"), started(2), message(3, "three")]);
    expect(texts).toEqual(["one", "three"]);
  });

  it("a listener that throws harms no other, now or later, and is logged by its event", () => {
    const { bus, log } = openBus();
    const heard: number[] = [];
    bus.subscribe(() => {
      throw new Error("broken listener");
    });
    bus.subscribe((event) => heard.push(event.position));
    expect(() => bus.publish([message(1), message(2)])).not.toThrow();
    expect(heard).toEqual([1, 2]);
    expect(log.lines.map((line) => line.fields)).toMatchObject([{ position: 1 }, { position: 2 }]);
  });

  it("ends a subscription once, and only that one, however often it is ended", () => {
    const { bus } = openBus();
    const heard: string[] = [];
    const listener = (event: DeskEvent) => heard.push(String(event.position));
    const end = bus.subscribe(listener);
    bus.subscribe(listener);
    end();
    end();
    bus.publish([message(1)]);
    expect(heard).toEqual(["1"]);
  });

  it("a listener that ends itself, another, or adds one while it is told, disturbs nobody's order", () => {
    const { bus } = openBus();
    const heard: string[] = [];
    const ends: (() => void)[] = [];
    ends.push(
      bus.subscribe(() => {
        heard.push("first");
        for (const end of ends) end();
        bus.subscribe(() => heard.push("added"));
      }),
    );
    ends.push(bus.subscribe(ignore));
    bus.subscribe(() => heard.push("last"));
    bus.publish([message(1)]);
    expect(heard).toEqual(["first", "last"]);
    bus.publish([message(2)]);
    expect(heard).toEqual(["first", "last", "last", "added"]);
  });
});

import type { DeskEvent, DeskEventOf, EventKind } from "#lib/protocol/events.ts";
import type { Log } from "./ports/log.ts";

type Listener = (event: DeskEvent) => void;

/**
 * Where committed events are published, in the order of their positions. A listener that throws harms no other and is
 * logged; a listener must not wait.
 */
export class EventBus {
  readonly #listeners = new Set<Listener>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Listens to every event. The returned function ends it and may be called twice. */
  subscribe(listener: Listener): () => void {
    const own: Listener = (event) => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Listens to the events of one kind. */
  on<K extends EventKind>(kind: K, listener: (event: DeskEventOf<K>) => void): () => void {
    return this.subscribe((event) => {
      if (event.kind === kind) listener(event as DeskEventOf<K>);
    });
  }

  /** Tells every listener. Called by the store alone, after the commit. */
  publish(events: readonly DeskEvent[]): void {
    for (const event of events) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(event);
        } catch (error) {
          this.#log.error(
            { err: error, position: event.position, kind: event.kind },
            "a listener of the event bus threw",
          );
        }
      }
    }
  }
}

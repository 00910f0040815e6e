import type { DeskTriggers } from "#lib/core/desk-triggers.ts";
import type { Backend } from "#lib/core/ports/backend.ts";
import type { Clock } from "#lib/core/ports/clock.ts";
import type { Store } from "#lib/core/ports/store.ts";

/** Queues a `schedule` trigger for each active desk whose first backend acts by itself, whenever it is due. */
export class Schedules {
  readonly #backends: ReadonlyMap<string, Backend>;
  readonly #store: Store;
  readonly #triggers: DeskTriggers;
  readonly #clock: Clock;
  readonly #dueAt = new Map<string, number>();

  constructor(backends: ReadonlyMap<string, Backend>, store: Store, triggers: DeskTriggers, clock: Clock) {
    this.#backends = backends;
    this.#store = store;
    this.#triggers = triggers;
    this.#clock = clock;
  }

  /** Queues what is due by now. */
  async queueDue(): Promise<void> {
    const now = this.#clock.now();
    for (const desk of await this.#store.desks()) {
      const schedule = this.#backends.get(desk.backends[0] ?? "")?.schedule;
      if (!schedule || desk.status !== "active") continue;
      const dueAt = this.#dueAt.get(desk.name) ?? now + schedule.firstAfterMs;
      this.#dueAt.set(desk.name, dueAt);
      if (now < dueAt) continue;
      this.#dueAt.set(desk.name, now + schedule.everyMs);
      await this.#triggers.schedule(desk.name, `every ${Math.round(schedule.everyMs / 1000)} s`, schedule.text);
    }
  }
}

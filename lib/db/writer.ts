import { setImmediate } from "node:timers/promises";
import { AppError } from "#lib/core/app-error.ts";
import type { Log } from "#lib/core/ports/log.ts";
import type { CommitResult, Unit } from "#lib/core/ports/unit.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { commitGroup, UnitFailure, type GroupContext } from "./commit-group.ts";
import { recordFailure } from "./record-failure.ts";

export interface WriterOptions extends GroupContext {
  log: Log;
  publish: (events: readonly DeskEvent[]) => void;
  /** The units that were just committed, before anyone else hears of them. */
  committed: (units: readonly Unit[]) => void;
}

interface Waiting {
  unit: Unit;
  resolve: (result: CommitResult) => void;
  reject: (error: unknown) => void;
}

/** The one writer: a queue of units, committed in groups, one transaction at a time. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #queue: Waiting[] = [];
  /** How many units the next groups may have at most. */
  readonly #sizes: number[] = [];
  #working: Promise<void> | null = null;
  #closed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** As `Store.commit` promises. */
  async commit(unit: Unit): Promise<CommitResult> {
    if (this.#closed) throw new AppError("record_unavailable", "The record is closed.");
    return await new Promise<CommitResult>((resolve, reject) => {
      this.#queue.push({ unit, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** Takes no more units and waits for those that wait. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    // What is handed over in the same tick is committed together.
    await Promise.resolve();
    for (let first = this.#queue.shift(); first !== undefined; first = this.#queue.shift()) {
      await this.#commitFrom(first);
      // The driver answers in microtasks: without this, timers and sockets starve while units wait.
      await setImmediate();
    }
    this.#working = null;
  }

  async #commitFrom(first: Waiting): Promise<void> {
    const group = [first];
    const most = this.#sizes.shift() ?? Infinity;
    let given = 0;
    const take = () => {
      const next = given < group.length ? group[given] : given < most ? this.#queue.shift() : undefined;
      if (next === undefined) return undefined;
      group[given] = next;
      given += 1;
      return next.unit;
    };
    let results: CommitResult[];
    try {
      results = await commitGroup(this.#options, take);
    } catch (error) {
      this.#putBack(group, error);
      return;
    }
    this.#finish(group, results);
  }

  // The transaction took all of them back. Whoever failed is tried again alone, where it can only fail itself: the
  // others before it, if it is known who it was, else each alone.
  #putBack(group: readonly Waiting[], error: unknown): void {
    const isKnown = error instanceof UnitFailure;
    if (group.length === 1) {
      group[0]?.reject(recordFailure(isKnown ? error.cause : error));
      return;
    }
    this.#queue.unshift(...group);
    this.#sizes.unshift(...(isKnown ? [group.length - 1, 1] : group.map(() => 1)));
  }

  #finish(group: readonly Waiting[], results: readonly CommitResult[]): void {
    const { committed, publish, log } = this.#options;
    committed(group.filter((_, index) => results[index]?.committed === true).map(({ unit }) => unit));
    for (const result of results) {
      if (!result.committed || result.events.length === 0) continue;
      try {
        publish(result.events);
      } catch (error) {
        log.error({ err: error, position: result.events[0]?.position }, "a subscriber of the record threw");
      }
    }
    for (const [index, result] of results.entries()) group[index]?.resolve(result);
  }
}

import {
  BackendFailure,
  type Backend,
  type BackendTurn,
  type CallAnswer,
  type CallAsk,
} from "#lib/core/ports/backend.ts";
import type { BackendFailureKind } from "#lib/protocol/states.ts";
import type { Store } from "#lib/core/ports/store.ts";
import { never, type ModelProcessView } from "./model-outside.ts";

/** One step of what a model does in a turn. */
export type ModelStep =
  | { do: "call" | "start" | "twice"; ask: CallAsk }
  | { do: "say"; text: string }
  | { do: "fail"; kind: BackendFailureKind }
  | { do: "hang" };

/** The models of all processes: what they are to do, and what they were answered. */
export class ModelScripts {
  readonly #scripts = new Map<string, readonly ModelStep[]>();
  /** What a turn does that no message started. */
  followUp: readonly ModelStep[] = [];
  /** Steps that failed or hung already: each does so once a turn. */
  readonly #spent = new Set<string>();
  readonly answers: CallAnswer[] = [];
  #hanging: (() => void)[] = [];
  /** Turns that a model is at. */
  active = 0;

  /** Keeps a script. @returns the text of the message that asks for it. */
  add(steps: readonly ModelStep[]): string {
    const text = `script ${this.#scripts.size}`;
    this.#scripts.set(text, steps);
    return text;
  }

  of(text: string): readonly ModelStep[] {
    return this.#scripts.get(text) ?? this.followUp;
  }

  spend(key: string): boolean {
    if (this.#spent.has(key)) return false;
    this.#spent.add(key);
    return true;
  }

  hang(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hanging.push(resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
    return promise;
  }

  /** Lets every model that hangs go on. */
  releaseAll(): void {
    for (const release of this.#hanging.splice(0)) release();
  }

  /** Forgets what hung in the process that has ended. */
  bury(): void {
    this.#hanging = [];
    this.active = 0;
  }
}

/**
 * A model that knows nothing of what was done before it: each attempt and each run of a turn asks for all of its script
 * again, which is what guard, router and recovery have to withstand.
 */
export class ReplayingBackend implements Backend {
  readonly name: string;
  readonly #scripts: ModelScripts;
  readonly #process: ModelProcessView;
  readonly #store: () => Store;
  readonly #problem: (text: string) => void;

  constructor(
    name: string,
    scripts: ModelScripts,
    process: ModelProcessView,
    store: () => Store,
    problem: (text: string) => void,
  ) {
    this.name = name;
    this.#scripts = scripts;
    this.#process = process;
    this.#store = store;
    this.#problem = problem;
  }

  async run(turn: BackendTurn): Promise<void> {
    if (this.#process.dead) return never();
    this.#scripts.active += 1;
    try {
      await this.#play(turn);
    } finally {
      if (!this.#process.dead) this.#scripts.active -= 1;
    }
  }

  async #play(turn: BackendTurn): Promise<void> {
    for (const [index, step] of this.#scripts.of(turn.trigger.text).entries()) {
      if (this.#process.dead) return never();
      const key = `${turn.trigger.id}/${index}`;
      switch (step.do) {
        case "call":
          await this.#call(turn, step.ask);
          break;
        case "start":
          this.#call(turn, step.ask).catch(() => undefined);
          break;
        case "twice":
          await Promise.all([this.#call(turn, step.ask), this.#call(turn, step.ask)]);
          break;
        case "say":
          await turn.say(step.text);
          break;
        case "fail":
          if (this.#scripts.spend(key))
            throw new BackendFailure(step.kind, "as the script says", { retryAfterMs: 5_000 });
          break;
        case "hang":
          if (this.#scripts.spend(key)) await this.#scripts.hang(turn.signal);
          break;
      }
    }
  }

  /** P2: what a backend is answered is on disk by then. */
  async #call(turn: BackendTurn, ask: CallAsk): Promise<void> {
    const answer = await turn.call(ask);
    if (this.#process.dead) return never();
    this.#scripts.answers.push(answer);
    const row = await this.#store().call(answer.callId);
    if (row?.status === answer.status && row.resultText === answer.text) return;
    this.#problem(
      `P2: call ${answer.callId} was answered ${answer.status}, the record then said ${row?.status ?? "nothing"}`,
    );
  }
}

import { BackendFailure, type Backend, type BackendTurn, type CallAnswer } from "#lib/core/ports/backend.ts";
import type { BackendFailureKind } from "#lib/protocol/states.ts";

/** Whether an answer is the expected one; it may also throw, as `expect` does. */
export type Expected = (answer: CallAnswer) => unknown;

/** One step of a script. */
export interface Step {
  readonly label: string;
  /** As a script's last step it need not come to an end. */
  readonly ends?: true;
  run(turn: BackendTurn, backend: ScriptedBackend): Promise<void>;
}

/** Asks for a call and waits for its answer. */
export function call(name: string, args?: unknown, expected?: Expected): Step {
  return {
    label: `call ${name}`,
    async run(turn, backend) {
      backend.note(name, await turn.call({ name, ...(args !== undefined && { arguments: args }) }), expected);
    },
  };
}

/** Asks for calls at the same moment, as one reply of a model does, and waits for all answers. */
export function together(...steps: readonly Step[]): Step {
  return {
    label: `together (${steps.map((step) => step.label).join(", ")})`,
    async run(turn, backend) {
      await Promise.all(steps.map((step) => step.run(turn, backend)));
    },
  };
}

/** Asks for a call and goes on without its answer, which `assertDone` expects to have come. */
export function startCall(name: string, args?: unknown, expected?: Expected): Step {
  const step = call(name, args, expected);
  return {
    label: `start ${step.label}`,
    async run(turn, backend) {
      backend.detach(`${name} that was started`, step.run(turn, backend));
    },
  };
}

/** Asks for a call once the attempt was aborted (and, where given, `when` has come), after the turn's `run` has ended. */
export function lateCall(name: string, args?: unknown, expected?: Expected, when?: Promise<unknown>): Step {
  const step = call(name, args, expected);
  return {
    label: `late ${step.label}`,
    async run(turn, backend) {
      const late = async () => {
        await aborted(turn.signal);
        await when;
        await step.run(turn, backend);
      };
      backend.detach(`late ${name}`, late());
    },
  };
}

/** Says something to the desk's people. */
export function say(text: string): Step {
  return { label: `say ${JSON.stringify(text)}`, run: (turn) => turn.say(text) };
}

/** Makes a step that is expected to reject, such as a call whose record cannot be written. */
export function rejects(step: Step): Step {
  return {
    label: `${step.label}, rejecting`,
    async run(turn, backend) {
      await backend.checked("rejects", async () => {
        const outcome = await Promise.allSettled([step.run(turn, backend)]);
        if (outcome[0].status === "fulfilled") throw new Error(`${step.label} did not reject`);
      });
    },
  };
}

/** Fails as a backend does; the script ends there. */
export function fail(kind: BackendFailureKind, message = `scripted ${kind}`, retryAfterMs?: number): Step {
  return fault(new BackendFailure(kind, message, retryAfterMs === undefined ? {} : { retryAfterMs }));
}

/** Throws any error; the script ends there. */
export function fault(error: Error): Step {
  return {
    label: `fail: ${error.message}`,
    ends: true,
    async run() {
      throw error;
    },
  };
}

/** Does nothing until the attempt is aborted; the steps behind it run after that. */
export function hangUntilAborted(): Step {
  return { label: "hang until aborted", ends: true, run: (turn) => aborted(turn.signal) };
}

/** Does nothing, ever: it does not heed the abort either. */
export function hangForEver(): Step {
  return { label: "hang for ever", ends: true, run: () => new Promise<void>(() => {}) };
}

/** Waits for a promise of the test. */
export function waitFor(promise: Promise<unknown>): Step {
  return {
    label: "wait for the test",
    async run() {
      await promise;
    },
  };
}

/** Lets the test look at the turn, such as at what was completed. What it throws fails the script. */
export function look(at: (turn: BackendTurn) => unknown): Step {
  return {
    label: "look",
    async run(turn, backend) {
      await backend.checked("look", () => at(turn));
    },
  };
}

/** A backend for tests: plays one script a turn, and fails on an unexpected turn or answer and on a left-over step. */
export class ScriptedBackend implements Backend {
  readonly name: string;
  /** The turns that it was given, oldest first. */
  readonly turns: BackendTurn[] = [];
  /** The answers that it got, in the order in which they came. */
  readonly answers: { name: string; answer: CallAnswer }[] = [];
  readonly #scripts: (readonly Step[])[] = [];
  readonly #playing = new Map<number, string>();
  readonly #detached: { label: string; work: Promise<void>; ended: boolean }[] = [];
  readonly #problems: string[] = [];

  constructor(name = "scripted") {
    this.name = name;
  }

  /** Adds what the next turn without a script does. */
  turn(...steps: readonly Step[]): this {
    this.#scripts.push(steps);
    return this;
  }

  async run(turn: BackendTurn): Promise<void> {
    const number = this.turns.push(turn);
    const script = this.#scripts.shift();
    if (!script) {
      const problem = `turn ${number} (${turn.trigger.kind} ${JSON.stringify(turn.trigger.text)}) was not expected`;
      this.#problems.push(problem);
      throw new Error(`scripted backend ${this.name}: ${problem}`);
    }
    for (const [index, step] of script.entries()) {
      const rest = script.slice(index);
      this.#playing.set(number, rest.map(({ label }) => label).join(", "));
      if (step.ends && rest.length === 1) this.#playing.delete(number);
      await step.run(turn, this);
    }
    this.#playing.delete(number);
  }

  /** Waits for the calls that were started or come late. */
  async settled(): Promise<void> {
    await Promise.all(this.#detached.map(({ work }) => work));
  }

  /** @throws Error that lists what was not expected, and what did not come to pass. */
  assertDone(): void {
    const left = this.#scripts.map(
      (steps) => `a turn was left: ${steps.map((step) => step.label).join(", ") || "empty"}`,
    );
    const stopped = [...this.#playing].map(([number, rest]) => `turn ${number} did not get past: ${rest}`);
    const open = this.#detached.flatMap(({ label, ended }) => (ended ? [] : [`${label} has no answer`]));
    const problems = [...this.#problems, ...left, ...stopped, ...open];
    if (problems.length > 0) throw new Error(`scripted backend ${this.name}:\n- ${problems.join("\n- ")}`);
  }

  /** For steps: keeps an answer and judges it. */
  note(name: string, answer: CallAnswer, expected: Expected | undefined): void {
    this.answers.push({ name, answer });
    if (!expected) return;
    let problem: string | null = null;
    try {
      if (expected(answer) === false) problem = "was not the expected one";
    } catch (error) {
      problem = `was not the expected one: ${String(error)}`;
    }
    if (problem === null) return;
    const text = `the answer to ${name} ${problem}; it was ${JSON.stringify(answer)}`;
    this.#problems.push(text);
    throw new Error(text);
  }

  /** For steps: what the test itself throws is a problem of the script. */
  async checked(label: string, work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#problems.push(`${label}: ${String(error)}`);
      throw error;
    }
  }

  /** For steps: work that goes on beside the script. */
  detach(label: string, work: Promise<void>): void {
    const entry = { label, work: Promise.resolve(), ended: false };
    entry.work = work.then(
      () => {
        entry.ended = true;
        return undefined;
      },
      (error: unknown) => {
        entry.ended = true;
        this.#problems.push(`${label}: ${String(error)}`);
      },
    );
    this.#detached.push(entry);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

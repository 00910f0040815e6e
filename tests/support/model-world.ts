import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";
import type { Clock } from "#lib/core/ports/clock.ts";
import type { RequestRow, RuleRow } from "#lib/core/record.ts";
import type { Answer } from "#lib/protocol/questions.ts";
import { openTestDesk, type TestDesk } from "./desk.ts";
import { manualClock } from "./manual-clock.ts";
import { ModelScripts, ReplayingBackend } from "./model-backend.ts";
import { ModelOutside, never } from "./model-outside.ts";
import { controlledStore, StoreControl, type Fault } from "./model-store.ts";
import { openTestRecord, type TestRecord } from "./record.ts";

/** What people were told is so: none of it may be lost. */
export interface Confirmed {
  messages: string[];
  decisions: { requestId: string; decision: "approve" | "deny"; by: string }[];
  answers: { requestId: string; by: string; answers: Answer[] }[];
  dismissals: { requestId: string; by: string }[];
  resolutions: { requestId: string; by: string; outcome: string }[];
  cancelled: string[];
  rules: { change: "added" | "removed"; rule: RuleRow }[];
}

/** One process: a desk's parts on the record, until it ends or is killed. */
interface Process {
  desk: TestDesk;
  control: StoreControl;
  /** What people are doing and have no answer to. */
  acts: Map<Promise<void>, string>;
}

export const modelDesks = ["majors", "crypto"] as const;
const caps = { pendingRequests: 4, callsPerTurn: 12, queuedTriggers: 6 };

/** The record, the processes that run on it one after the other, and the world outside of them. */
export class ModelWorld {
  readonly clock = manualClock();
  readonly outside = new ModelOutside();
  readonly scripts = new ModelScripts();
  readonly confirmed: Confirmed = {
    messages: [],
    decisions: [],
    answers: [],
    dismissals: [],
    resolutions: [],
    cancelled: [],
    rules: [],
  };
  /** What people tried to approve, confirmed or not: nothing else may run. */
  readonly approvals: { requestId: string; by: string; arguments: string }[] = [];
  #record!: TestRecord;
  #process!: Process;
  #publish: TestDesk["bus"]["publish"] = () => {};
  readonly published: TestRecord["published"] = [];
  #earlierFaulty = false;
  /** Whether the process is being stopped: it takes no more calls, and says so. */
  stopping = false;
  /** The last position of the time before the present process. */
  firstPosition = 0;

  static async open(): Promise<ModelWorld> {
    const world = new ModelWorld();
    world.#record = await openTestRecord({
      clock: world.clock,
      publish: (events) => {
        world.published.push(...events);
        world.#publish(events);
      },
    });
    await world.#start();
    const [, second] = modelDesks;
    const { desks, name } = world.desk;
    const first = await desks.read(name);
    await desks.create(
      { name: second, instructions: "", backends: first.backends, toolsets: first.toolsets, caps },
      "ann",
    );
    return world;
  }

  get desk(): TestDesk {
    return this.#process.desk;
  }

  get record(): TestRecord {
    return this.#record;
  }

  /** Whether something could not be recorded: only a restart makes such a process whole. */
  get faulty(): boolean {
    return this.#process.control.refused > 0;
  }

  /** Whether that was so of any process. */
  get wasFaulty(): boolean {
    return this.#earlierFaulty || this.faulty;
  }

  arm(fault: Fault): void {
    this.#process.control.arm(fault);
  }

  /** A person does something; others may go on meanwhile. What is wrong with its end is a problem. */
  act(label: string, work: () => Promise<void>): void {
    const { acts } = this.#process;
    const act = work().catch((error: unknown) => {
      this.outside.problems.push(`${label}: ${String(error)}`);
    });
    acts.set(act, label);
    void act.then(() => acts.delete(act));
  }

  get unanswered(): string[] {
    return [...this.#process.acts.values()];
  }

  /** What people and the sweep do that waits for no tool, no model and no lock, and has no answer all the same. */
  get blocked(): string[] {
    return this.unanswered.filter((label) => /^(message|answer|dismiss|deny|stop|pause|resume|sweep)/.test(label));
  }

  /** Waits until nothing goes on by itself any more; where the process was killed meanwhile, starts the next one. */
  async settle(): Promise<void> {
    for (;;) {
      await this.#calm();
      if (!this.#process.control.dead) return;
      await this.#restart();
    }
  }

  /** Ends the process, at once or gracefully, and starts the next one, whose recovery may meet a fault as well. */
  async restart(how: "killed" | "graceful", downMs = 0, fault?: Fault): Promise<void> {
    if (how === "graceful") await this.#close();
    const { control } = this.#process;
    control.dead = true;
    control.downMs = downMs;
    await this.#restart(fault);
    await this.settle();
  }

  async remove(): Promise<void> {
    this.#process.control.dead = true;
    await this.#record.remove();
  }

  /** Lets everything that hangs come to its end, the time pass, and the desks go on until nothing is left to do. */
  async rest(): Promise<void> {
    this.outside.resting = true;
    this.scripts.followUp = [];
    this.#process.control.disarm();
    if (this.faulty) await this.restart("killed");
    let left: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      this.scripts.releaseAll();
      while (this.outside.hangingTools > 0) this.outside.releaseTool(0, "done");
      await this.settle();
      this.clock.advance(31_000);
      this.act("sweep", async () => void (await this.desk.requests.expireDue()));
      await this.settle();
      left = await this.#unfinished();
      if (left.length === 0) return;
    }
    expect(left, "what did not come to an end").toEqual([]);
  }

  async #unfinished(): Promise<string[]> {
    const { store } = this.#record;
    const left = [...this.unanswered];
    const calls = await store.calls({ statuses: ["recorded", "running"], order: "oldest", limit: 100 });
    left.push(...calls.map((call) => `call ${call.id} of ${call.name} is ${call.status}`));
    const requests = await store.requests({ states: ["approved", "running"], order: "oldest", limit: 100 });
    left.push(...requests.map((request) => `request ${request.id} is ${request.state}`));
    // What is about to expire would still change by itself.
    const soon = new Date(this.clock.now() + 10).toISOString();
    const expiring = await store.requests({ states: ["pending"], expiredAt: soon, order: "oldest", limit: 100 });
    left.push(...expiring.map((request) => `request ${request.id} expires now`));
    const active = new Set((await store.desks()).flatMap(({ name, status }) => (status === "active" ? [name] : [])));
    const triggers = await store.triggers({ states: ["queued", "running"], order: "next", limit: 100 });
    for (const { id, state, deskName } of triggers) {
      if (state === "running" || active.has(deskName)) left.push(`trigger ${id} of ${deskName} is ${state}`);
    }
    if (this.scripts.active > 0) left.push(`${this.scripts.active} models`);
    return left;
  }

  /** As a stop of the server: what runs is waited for, and the time goes on meanwhile. */
  async #close(): Promise<void> {
    this.stopping = true;
    this.act("a graceful stop", () => this.desk.live.close());
    for (let round = 0; round < 20; round += 1) {
      await this.#calm();
      if (this.#process.control.dead || !this.unanswered.includes("a graceful stop")) return;
      this.clock.advance(31_000);
    }
    this.outside.problems.push("a graceful stop did not come to its end");
  }

  async #calm(): Promise<void> {
    const { control } = this.#process;
    for (let calm = 0; calm < 3 && !control.dead;) {
      await setImmediate();
      calm = control.pending === 0 ? calm + 1 : 0;
    }
  }

  async #restart(fault?: Fault): Promise<void> {
    this.#earlierFaulty ||= this.faulty;
    this.#record = await this.#record.reopen();
    this.clock.advance(1 + this.#process.control.downMs);
    await this.#start(fault);
    // What goes wrong in a recovery ends the process, as it would end the server's start.
    this.act("recovery", async () => {
      const { desk, control } = this.#process;
      try {
        await desk.recover();
      } catch (error) {
        if (control.refused === 0) throw error;
        control.dead = true;
      }
    });
  }

  async #start(fault?: Fault): Promise<void> {
    const control = new StoreControl();
    const record = this.#record;
    this.firstPosition = this.published.length;
    const process = {
      get dead() {
        return control.dead;
      },
      statusOf: async (callId: string) => {
        if (control.dead) return never<null>();
        return (await record.store.call(callId))?.status ?? null;
      },
    };
    const backends = ["first", "second"].map(
      (name) =>
        new ReplayingBackend(
          name,
          this.scripts,
          process,
          () => record.store,
          (text) => this.outside.problems.push(text),
        ),
    );
    const clock: Clock = {
      now: () => this.clock.now(),
      after: (delayMs, callback) => this.clock.after(delayMs, () => void (control.dead || callback())),
    };
    const desk = await openTestDesk({
      clock,
      record,
      caps,
      backends,
      tools: this.outside.tools(process),
      store: (store) => controlledStore(store, control),
    });
    this.#publish = (events) => {
      if (!control.dead) desk.bus.publish(events);
    };
    this.stopping = false;
    this.outside.bury();
    this.scripts.bury();
    this.#process = { desk, control, acts: new Map() };
    if (fault) control.arm(fault);
  }
}

/** Requests of these states, oldest first. */
export async function requestsOf(world: ModelWorld, states?: RequestRow["state"][]): Promise<RequestRow[]> {
  return world.record.store.requests({ ...(states && { states }), order: "oldest", limit: 500 });
}

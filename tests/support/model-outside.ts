import { z } from "zod";
import { canonicalJson } from "#lib/core/canonical.ts";
import { defineTool, done, notDone, type Tool, type ToolContext, type ToolResult } from "#lib/core/tool.ts";
import { decimalSchema } from "#lib/protocol/decimal.ts";
import type { JsonObject } from "#lib/protocol/json.ts";
import type { CallStatus, Effect } from "#lib/protocol/states.ts";

/** How a run of a tool goes: the call's own arguments say so. `hang` waits for the sequence to release it. */
export const hows = ["done", "notDone", "throw", "unknown", "hang"] as const;
export type How = (typeof hows)[number];

/** One run of a tool, as the world saw it. */
export interface ToolRun {
  tool: string;
  effect: Effect;
  callId: string;
  key: string;
  /** Canonical JSON text of what the tool was given. */
  arguments: string;
  /** What the record had of the call when its tool started; null where it had nothing. */
  statusAtStart: CallStatus | null;
  /** What it came to; null where it did not come to its end before its process did. */
  end: How | null;
}

/** What a process lets the tools and backends that run in it see. */
export interface ModelProcessView {
  /** Nothing goes on in a process that was killed. */
  readonly dead: boolean;
  statusOf(callId: string): Promise<CallStatus | null>;
}

/** The world outside of the processes: it outlives each of them and remembers what they did to it. */
export class ModelOutside {
  readonly runs: ToolRun[] = [];
  /** What contradicts a promise at the moment at which it happened. */
  readonly problems: string[] = [];
  /** Tools that hang, oldest first. */
  #hanging: ((how: How) => void)[] = [];
  /** Set when a sequence comes to rest: nothing hangs any more. */
  resting = false;

  get hangingTools(): number {
    return this.#hanging.length;
  }

  /** Lets a tool that hangs come to its end. */
  releaseTool(pick: number, how: How): void {
    const [release] = this.#hanging.splice(pick % Math.max(this.#hanging.length, 1), 1);
    release?.(how);
  }

  /** Forgets what hung in the process that has ended. */
  bury(): void {
    this.#hanging = [];
  }

  /** The tools of one process: one that reads, one write that is held by default, one that is allowed by default. */
  tools(process: ModelProcessView): Tool[] {
    const how = z.enum(hows).default("done");
    const symbol = z.string().min(1).max(20);
    return [
      defineTool({
        name: "get_quote",
        description: "A price",
        effect: "read",
        parameters: z.strictObject({ symbol, how }),
        run: (args, context) => this.#run(process, "get_quote", "read", args, context),
      }),
      defineTool({
        name: "place_order",
        description: "Orders",
        effect: "write",
        parameters: z.strictObject({
          symbol,
          quantity: decimalSchema(),
          how,
          facts: z.enum(["known", "throw", "hang"]).default("known"),
        }),
        identifiedBy: ["symbol", "quantity"],
        facts: async (args, { signal }) => factsOf(args.facts, signal),
        run: (args, context) => this.#run(process, "place_order", "write", args, context),
      }),
      defineTool({
        name: "cancel_orders",
        description: "Cancels orders",
        effect: "write",
        defaultVerdict: "allow",
        parameters: z.strictObject({ id: z.string(), how }),
        identifiedBy: ["id"],
        run: (args, context) => this.#run(process, "cancel_orders", "write", args, context),
      }),
    ];
  }

  async #run(
    process: ModelProcessView,
    tool: string,
    effect: Effect,
    args: JsonObject & { how: How },
    context: ToolContext,
  ): Promise<ToolResult> {
    if (process.dead) return never();
    const { callId, idempotencyKey: key } = context;
    const run: ToolRun = { tool, effect, callId, key, arguments: canonicalJson(args), statusAtStart: null, end: null };
    this.runs.push(run);
    run.statusAtStart = await process.statusOf(callId);
    return this.#end(run, args.how);
  }

  async #end(run: ToolRun, how: How): Promise<ToolResult> {
    const { tool } = run;
    if (how === "hang") {
      if (this.resting) return this.#end(run, "done");
      const released = Promise.withResolvers<How>();
      this.#hanging.push(released.resolve);
      const then = await released.promise;
      return this.#end(run, then === "hang" ? "done" : then);
    }
    run.end = how;
    if (how === "done") return done(`${tool} is done`);
    if (how === "notDone") return notDone(`${tool} is not done`);
    if (how === "throw") throw new Error(`${tool} threw`);
    return { text: `${tool} does not know`, isError: true, outcome: "unknown" };
  }
}

async function factsOf(facts: "known" | "throw" | "hang", signal: AbortSignal): Promise<JsonObject> {
  if (facts === "known") return { reducesRisk: false };
  if (facts === "throw") throw new Error("the facts cannot be computed");
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the facts took too long")), { once: true });
  });
}

/** What a killed process would have done: it never comes. */
export function never<T>(): Promise<T> {
  return new Promise<T>(() => {});
}

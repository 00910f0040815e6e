import type {
  Backend,
  BackendTurn,
  CallAnswer,
  CallAsk,
  CompletedCall,
  PendingRequest,
} from "#lib/core/ports/backend.ts";
import type { AnswerData, OutcomeData } from "#lib/core/outcome-data.ts";
import type { Tool } from "#lib/core/tool.ts";
import type { Json, JsonObject } from "#lib/protocol/json.ts";
import { askUserToolset } from "#lib/tools/ask-user.ts";
import type { Market } from "#lib/tools/market/market.ts";
import { marketToolset } from "#lib/tools/market/toolset.ts";
import { notesToolset } from "#lib/tools/notes.ts";
import { PaperAccount } from "#lib/tools/paper-account/paper-account.ts";
import { paperAccountToolset } from "#lib/tools/paper-account/toolset.ts";
import { manualClock } from "./manual-clock.ts";
import { testMarket } from "./market.ts";
import { MemoryNotebook } from "./memory-notebook.ts";
import { MemoryPaperLedger } from "./memory-paper-ledger.ts";
import { runTool } from "./run-tool.ts";

/** What one turn did. */
export interface TurnLog {
  said: string[];
  calls: { name: string; arguments: JsonObject }[];
}

type Trigger = Pick<BackendTurn["trigger"], "kind" | "text" | "from"> & { data?: JsonObject; requestId?: string };

const dayMs = 120_000;

/** The process died. */
export class Crash extends Error {}

/** A desk for a playbook, without the core: real tools in memory, where orders and questions wait for the test. */
export class PlaybookDesk {
  readonly clock = manualClock("2026-10-01T09:00:00.000Z");
  readonly market: Market = testMarket(this.clock);
  readonly notebook = new MemoryNotebook();
  readonly ledger = new MemoryPaperLedger();
  readonly pending: PendingRequest[] = [];
  /** Whether a rule allows orders, so that none is held. */
  allowsOrders = false;
  /** The text with which every order is refused; null where it is not. */
  refusesOrders: string | null = null;
  /** The text with which every read fails; null where they work. */
  failsReads: string | null = null;
  /** The text with which every chart fails; null where they work. */
  failsCharts: string | null = null;
  readonly #backend: Backend;
  readonly #tools: ReadonlyMap<string, Tool>;
  #count = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
    const { clock, market, ledger, notebook } = this;
    const account = new PaperAccount({ ledger, market, clock, ids: { next: () => this.#id("P") } });
    const toolsets = [
      askUserToolset,
      // Its charts are not looked at.
      marketToolset(market, async () => new Uint8Array()),
      notesToolset({ notebook, clock }),
      paperAccountToolset({ account, clock }),
    ];
    this.#tools = new Map(toolsets.flatMap(({ tools }) => tools).map((tool) => [tool.name, tool]));
  }

  passDays(days: number): void {
    this.clock.advance(days * dayMs);
  }

  schedule(): Promise<TurnLog> {
    return this.turn({ kind: "schedule", text: "Look at the market.", from: "schedule" });
  }

  chat(text: string): Promise<TurnLog> {
    return this.turn({ kind: "message", text, from: "ann" });
  }

  /** Approves an order: it runs, and the desk hears of it. */
  async approve(label: string): Promise<TurnLog> {
    const request = this.#take(label);
    const order = this.#tool(request.tool);
    const result = await runTool(order, request.arguments, { idempotencyKey: request.id });
    const state = result.outcome === "done" ? "completed" : "failed";
    return await this.outcome(request, { state, by: "ann", resultText: result.text });
  }

  /** Takes a request away from what waits, and tells the desk what became of it. */
  decide(label: string, changes: Partial<OutcomeData> & Pick<OutcomeData, "state">): Promise<TurnLog> {
    return this.outcome(this.#take(label), changes);
  }

  /** Tells the desk of an outcome. */
  outcome(request: PendingRequest, changes: Partial<OutcomeData> & Pick<OutcomeData, "state">): Promise<TurnLog> {
    const data: OutcomeData = {
      requestId: request.id,
      label: request.label,
      tool: request.tool,
      arguments: JSON.stringify(request.arguments),
      by: null,
      note: null,
      resolution: null,
      resultText: null,
      ...changes,
    };
    return this.turn({ kind: "outcome", text: "", from: request.label, data: { ...data }, requestId: request.id });
  }

  /** Answers a question: picks the option with this number, or writes words. */
  answer(label: string, answer: { option: number } | { other: string }): Promise<TurnLog> {
    const request = this.#take(label);
    const [question] = questionsOf(request.arguments);
    const data: AnswerData = {
      requestId: request.id,
      label,
      by: "ann",
      answers: [
        {
          questionId: "q1",
          question: question?.question ?? "",
          header: question?.header ?? "",
          optionIds: "option" in answer ? [`o${answer.option}`] : [],
          labels: "option" in answer ? [question?.options[answer.option - 1]?.label ?? ""] : [],
          other: "other" in answer ? answer.other : null,
        },
      ],
    };
    return this.turn({
      kind: "answer",
      text: "",
      from: "ann",
      data: { ...data },
      requestId: request.id,
    });
  }

  /**
   * Runs a turn to its end.
   * @param crashes where the process dies: behind so many calls and sayings; the turn is then run again.
   */
  async turn(trigger: Trigger, crashes?: { behind: number }): Promise<TurnLog> {
    const log: TurnLog = { said: [], calls: [] };
    const completed: CompletedCall[] = [];
    const started = this.#turnOf(trigger, log, completed, crashes?.behind ?? Number.POSITIVE_INFINITY);
    try {
      await this.#backend.run(started);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      await this.#backend.run(this.#turnOf(trigger, log, completed, Number.POSITIVE_INFINITY));
    }
    return log;
  }

  #turnOf(trigger: Trigger, log: TurnLog, completed: CompletedCall[], steps: number): BackendTurn {
    let left = steps;
    const step = () => {
      left -= 1;
      if (left < 0) throw new Crash("the process died");
    };
    return {
      desk: { name: "majors", instructions: "" },
      trigger: { id: "t1", data: {}, requestId: null, ...trigger },
      attempt: 1,
      tools: [],
      completedCalls: [...completed],
      pendingRequests: [...this.pending],
      signal: new AbortController().signal,
      call: async (ask) => {
        step();
        return await this.#call(ask, log, completed);
      },
      say: async (text) => {
        step();
        log.said.push(text);
      },
      countModelRequest: async () => true,
    };
  }

  async #call(ask: CallAsk, log: TurnLog, completed: CompletedCall[]): Promise<CallAnswer> {
    const tool = this.#tool(ask.name);
    const args = tool.parameters.parse(ask.arguments) as JsonObject;
    log.calls.push({ name: ask.name, arguments: args });
    const callId = this.#id("C");
    const base = { callId, isError: false, outcome: "done", requestId: null, picturePath: null } as const;
    const answer = await this.#answerTo(tool, args, callId, base);
    if (answer.status !== "refused") {
      completed.push({ callId, name: ask.name, arguments: args, resultText: answer.text, isError: answer.isError });
    }
    return answer;
  }

  async #answerTo(
    tool: Tool,
    args: JsonObject,
    callId: string,
    base: Omit<CallAnswer, "text" | "status">,
  ): Promise<CallAnswer> {
    const isOrder = tool.name === "place_order";
    if (isOrder && this.refusesOrders !== null) {
      return { ...base, text: this.refusesOrders, isError: true, outcome: "notDone", status: "refused" };
    }
    const failure = this.failsReads ?? (tool.name === "draw_chart" ? this.failsCharts : null);
    if (tool.effect === "read" && failure !== null) {
      return { ...base, text: failure, isError: true, outcome: "notDone", status: "failed" };
    }
    if (!tool.ask && !(isOrder && !this.allowsOrders)) {
      const { text, isError, outcome } = await runTool(tool, args, { idempotencyKey: callId });
      return { ...base, text, isError, outcome, status: isError ? "failed" : "succeeded" };
    }
    const label = `R-${this.pending.length + this.#taken + 1}`;
    const id = this.#id("R");
    this.pending.push({ id, label, kind: tool.ask ? "question" : "permission", tool: tool.name, arguments: args });
    return { ...base, text: `It waits as ${label}.`, status: "held", requestId: id };
  }

  #taken = 0;

  #take(label: string): PendingRequest {
    const index = this.pending.findIndex((request) => request.label === label);
    const [request] = index === -1 ? [] : this.pending.splice(index, 1);
    if (!request) throw new Error(`${label} does not wait`);
    this.#taken += 1;
    return request;
  }

  #tool(name: string): Tool {
    const tool = this.#tools.get(name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    return tool;
  }

  #id(prefix: string): string {
    this.#count += 1;
    return `${prefix}${String(this.#count).padStart(4, "0")}`;
  }
}

interface Asked {
  question: string;
  header: string;
  options: { label: string; description: string; preview?: string }[];
}

/** The questions in the arguments of `ask_user`. */
export function questionsOf(args: { [key: string]: Json }): Asked[] {
  return args["questions"] as unknown as Asked[];
}

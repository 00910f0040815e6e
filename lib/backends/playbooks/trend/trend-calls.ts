import { z } from "zod";
import { BackendFailure, type BackendTurn, type CallAnswer } from "#lib/core/ports/backend.ts";
import type { QuestionDraft } from "#lib/core/question-draft.ts";
import type { JsonObject } from "#lib/protocol/json.ts";

const quoteSchema = z.object({ symbol: z.string(), mid: z.string(), marketTime: z.string(), marketDay: z.number() });
export type TrendQuote = z.infer<typeof quoteSchema>;

const ratesSchema = z.object({ closes: z.array(z.tuple([z.string(), z.string()])) });
const notesSchema = z.array(z.object({ text: z.string() }));

const accountSchema = z.object({
  cashUsd: z.string(),
  equityUsd: z.string(),
  positions: z.array(
    z.object({
      symbol: z.string(),
      quantity: z.string(),
      averagePrice: z.string(),
      price: z.string(),
      openProfitUsd: z.string(),
    }),
  ),
});
export type TrendAccount = z.infer<typeof accountSchema>;
export type TrendPosition = TrendAccount["positions"][number];

/** An order as the playbook asks for it. */
export interface TrendOrder {
  symbol: string;
  side: "buy" | "sell";
  quantity: string;
  reduceOnly: boolean;
  note: string;
}

const notesRead = 100;

/** The tool calls that the trend playbook makes in one turn. */
export class TrendCalls {
  readonly turn: BackendTurn;

  constructor(turn: BackendTurn) {
    this.turn = turn;
  }

  quote(symbol: string): Promise<TrendQuote> {
    return this.#read("get_quote", { symbol }, quoteSchema);
  }

  /** The last closes, oldest first. */
  async closes(symbol: string, days: number): Promise<string[]> {
    const { closes } = await this.#read("get_rates", { symbol, days }, ratesSchema);
    return closes.map(([, close]) => close);
  }

  /** Shows people the last closes, once a turn. It is only for the eye: where it cannot be drawn, the turn goes on. */
  async showChart(symbol: string, days: number): Promise<void> {
    if (this.hasMade("draw_chart", (args) => args["symbol"] === symbol)) return;
    await this.turn.call({ name: "draw_chart", arguments: { symbol, days } });
  }

  account(): Promise<TrendAccount> {
    return this.#read("get_account", {}, accountSchema);
  }

  /** The desk's notes, newest first. */
  async notes(): Promise<string[]> {
    return (await this.#read("read_notes", { limit: notesRead }, notesSchema)).map(({ text }) => text);
  }

  async writeNote(text: string): Promise<void> {
    await this.turn.call({ name: "write_note", arguments: { text } });
  }

  order(order: TrendOrder): Promise<CallAnswer> {
    return this.turn.call({ name: "place_order", arguments: { ...order } });
  }

  ask(question: QuestionDraft): Promise<CallAnswer> {
    return this.turn.call({ name: "ask_user", arguments: { questions: [question] } });
  }

  /** Whether this turn made such a call already, before a restart or by another backend. */
  hasMade(name: string, matches: (args: JsonObject) => boolean = () => true): boolean {
    return this.turn.completedCalls.some((call) => call.name === name && matches(call.arguments));
  }

  /** Whether this turn wrote a note that begins so. */
  hasNoted(beginning: string): boolean {
    return this.hasMade("write_note", ({ text }) => typeof text === "string" && text.startsWith(beginning));
  }

  async #read<T>(name: string, args: JsonObject, schema: z.ZodType<T>): Promise<T> {
    const answer = await this.turn.call({ name, arguments: args });
    if (answer.isError) throw new BackendFailure("broken_reply", `${name} gave an error: ${answer.text}`);
    return schema.parse(JSON.parse(answer.text));
  }
}

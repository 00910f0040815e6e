import type { JsonObject } from "#lib/protocol/json.ts";
import { limits } from "#lib/protocol/limits.ts";
import { cutText } from "./canonical.ts";
import type { Clock } from "./ports/clock.ts";
import type { Log } from "./ports/log.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";
import type { ToolRegistry } from "./tool-registry.ts";

/** One run of a tool. */
export interface RunOrder {
  tool: Tool;
  args: JsonObject;
  triggerId: string;
  callId: string;
  idempotencyKey: string;
  /** A stop; it ends a `read` at once, while a `write` goes on to its end or its time-out. */
  stopped: AbortSignal | undefined;
  /** Called once where the tool gives a clear result after its time was over. */
  onLate(result: ToolResult): void;
}

/** Runs the tools of one desk: the only caller of the registry's `run`. Made by the executor alone. */
export class ToolRunner {
  readonly #deskName: string;
  readonly #registry: ToolRegistry;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #running = new Set<Promise<unknown>>();

  constructor(deskName: string, registry: ToolRegistry, clock: Clock, log: Log) {
    this.#deskName = deskName;
    this.#registry = registry;
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves when nothing runs any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
  }

  /** Never rejects: what a tool throws is a result, `unknown` for a `write` and `notDone` for a `read`. */
  async run(order: RunOrder): Promise<ToolResult> {
    const run = this.#race(order);
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  async #race(order: RunOrder): Promise<ToolResult> {
    const { tool } = order;
    const abort = new AbortController();
    const ended = Promise.withResolvers<ToolResult>();
    const giveUp = (why: string) => {
      ended.resolve(unfinished(tool, why));
      abort.abort(new Error(why));
    };
    const cancelTimeout = this.#clock.after(tool.timeoutMs, () => giveUp(`timed out after ${tool.timeoutMs / 1000} s`));
    const onStop = () => {
      if (tool.effect === "read") giveUp("was stopped");
    };
    order.stopped?.addEventListener("abort", onStop, { once: true });
    if (order.stopped?.aborted) onStop();
    let over = false;
    const work = this.#work(order, abort.signal).then((result) => {
      if (over && result.outcome !== "unknown") order.onLate(result);
      return result;
    });
    try {
      return await Promise.race([work, ended.promise]);
    } finally {
      over = true;
      cancelTimeout();
      order.stopped?.removeEventListener("abort", onStop);
    }
  }

  async #work(order: RunOrder, signal: AbortSignal): Promise<ToolResult> {
    const { tool } = order;
    const context: ToolContext = {
      deskName: this.#deskName,
      triggerId: order.triggerId,
      callId: order.callId,
      idempotencyKey: order.idempotencyKey,
      signal,
      log: (message) => this.#log.info({ desk: this.#deskName, tool: tool.name, callId: order.callId }, message),
    };
    try {
      return checked(tool, await this.#registry.run(tool, structuredClone(order.args), context));
    } catch (error) {
      return unfinished(tool, `failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function unfinished(tool: Tool, why: string): ToolResult {
  const outcome = tool.effect === "write" ? "unknown" : "notDone";
  return { text: cutText(`${tool.name} ${why}`, limits.resultCharacters), isError: true, outcome };
}

function checked(tool: Tool, result: ToolResult): ToolResult {
  const text = typeof result.text === "string" ? result.text : JSON.stringify(result.text ?? null);
  const cut = cutText(text, limits.resultCharacters);
  const note = cut.length < text.length ? `\n[cut: ${text.length} characters, the first ${cut.length} are shown]` : "";
  const known = result.outcome === "done" || result.outcome === "notDone";
  const outcome = known ? result.outcome : tool.effect === "write" ? "unknown" : "notDone";
  const picture = result.picture && isPicture(result.picture) ? { picture: result.picture } : {};
  return { text: cut + note, isError: result.isError || outcome !== "done", outcome, ...picture };
}

/** Whether the bytes are what the type says, and within the limit. */
function isPicture(picture: NonNullable<ToolResult["picture"]>): boolean {
  const { bytes, type } = picture;
  if (!(bytes instanceof Uint8Array) || bytes.length > limits.pictureBytes) return false;
  const ascii = (from: number, to: number) => String.fromCharCode(...bytes.slice(from, to));
  if (type === "image/png") return bytes[0] === 0x89 && ascii(1, 4) === "PNG";
  if (type === "image/jpeg") return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
  return ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP";
}

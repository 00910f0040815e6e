import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { OneAtATime } from "#lib/tools/one-at-a-time.ts";
import type { ChartData } from "./chart-data.ts";

/** Draws a chart as a PNG. Rejects where it cannot, and when the signal is aborted. */
export type DrawChart = (data: ChartData, signal: AbortSignal) => Promise<Uint8Array>;

type Answer = { bytes: Uint8Array } | { failure: string };

/**
 * Draws in a thread of its own, one chart at a time, so that the server goes on meanwhile. The thread begins with the
 * first chart, does not keep the process alive, and is ended with a chart that is given up: the next begins another.
 */
export function chartWorker(entry = new URL("chart-worker-main.ts", import.meta.url)): DrawChart {
  const turns = new OneAtATime();
  let worker: Worker | undefined;

  const begin = (): Worker => {
    const thread = new Worker(entry);
    thread.unref();
    // Without a listener, what it dies of would end the server, too.
    thread.on("error", () => {});
    thread.once("exit", () => {
      if (worker === thread) worker = undefined;
    });
    return thread;
  };

  const draw: DrawChart = async (data, signal) => {
    signal.throwIfAborted();
    const thread = (worker ??= begin());
    const over = new AbortController();
    const onExit = () => over.abort(new Error("the thread that draws has ended"));
    thread.once("exit", onExit);
    thread.ref();
    try {
      thread.postMessage(data);
      const [answer] = (await once(thread, "message", { signal: AbortSignal.any([signal, over.signal]) })) as [Answer];
      if ("failure" in answer) throw new Error(answer.failure);
      return answer.bytes;
    } catch (error) {
      worker = undefined;
      void thread.terminate();
      throw error;
    } finally {
      thread.off("exit", onExit);
      thread.unref();
    }
  };
  return (data, signal) => turns.run("chart", () => draw(data, signal));
}

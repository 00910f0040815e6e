import { BackendFailure, type Backend, type BackendTurn } from "#lib/core/ports/backend.ts";
import type { CrashPoints } from "./crash-points.ts";
import type { Tell } from "./crash-script.ts";

/**
 * A backend that remembers nothing: each message says what to do, a line a step, and after a restart it does all of it
 * again, so that whatever keeps a write from being repeated is not its own care.
 *
 * - `say TEXT`
 * - `fail NAME` the backend of that name fails; others go on
 * - `hang` until the attempt is aborted
 * - `TOOL ARGUMENTS` makes the call and waits for its answer
 *
 * For any other trigger it says a word.
 */
export function linesBackend(name: string, points: CrashPoints, tell: Tell): Backend {
  return {
    name,
    async run(turn) {
      const { id: triggerId, kind, requestId, text } = turn.trigger;
      await tell({ report: "turn", triggerId, kind, requestId, completed: turn.completedCalls });
      await points.reach("backend:start");
      const lines = kind === "message" ? text.split("\n") : ["say Noted."];
      for (const line of lines) await step(line, turn);
      await points.reach("backend:end");
    },
  };

  async function step(line: string, turn: BackendTurn): Promise<void> {
    const [verb, rest] = split(line);
    if (verb === "say") return turn.say(rest);
    if (verb === "fail") {
      if (rest === name) throw new BackendFailure("overloaded", "no room");
      return;
    }
    if (verb === "hang") {
      await points.reach("backend:hang");
      return aborted(turn.signal);
    }
    const answer = await turn.call({ name: verb, arguments: JSON.parse(rest) });
    const { callId, status, text, requestId } = answer;
    await tell({ report: "answered", triggerId: turn.trigger.id, name: verb, callId, status, text, requestId });
  }
}

function split(line: string): [string, string] {
  const space = line.indexOf(" ");
  return space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

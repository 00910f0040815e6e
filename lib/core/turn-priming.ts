import { rememberedCall } from "./call-answers.ts";
import type { GuardedCall, LoopGuard } from "./loop-guard.ts";
import type { Store } from "./ports/store.ts";
import type { CallRow } from "./record.ts";
import { presentText } from "./request-texts.ts";
import type { TurnRecord } from "./turn-memory.ts";

/**
 * Fills the memory and the guard of a turn that a restart interrupted, so that it goes on as if it had not been: what ran
 * counts, what was held or asked is answered with how it stands.
 * @param calls of the turn, oldest first.
 */
export async function primeTurn(
  turn: TurnRecord,
  guard: LoopGuard,
  calls: readonly CallRow[],
  store: Pick<Store, "request">,
): Promise<void> {
  turn.asked = calls.length;
  for (const row of calls) {
    if (row.status === "refused" || row.status === "denied" || row.identity === null) continue;
    const request = row.requestId === null ? null : await store.request(row.requestId);
    if (!request) {
      turn.completed.push(rememberedCall(row, null));
      observeAgain(guard, row, row.identity);
      continue;
    }
    // A call that carries a request out is told as the outcome of the call that was held, and a repeat is told once.
    const carriesOut = request.callId !== row.id && row.idempotencyKey === request.idempotencyKey;
    if (carriesOut || turn.held.get(row.identity) === request.id) continue;
    turn.held.set(row.identity, request.id);
    turn.completed.push({ ...rememberedCall(row, request.id), resultText: presentText(request), isError: false });
  }
}

function observeAgain(guard: LoopGuard, row: CallRow, key: string): void {
  const call: GuardedCall = {
    triggerId: row.triggerId,
    callId: row.id,
    name: row.name,
    effect: row.effect ?? "write",
    key,
  };
  guard.allows(call);
  guard.observe(call, { text: row.resultText ?? "", outcome: row.outcome ?? "unknown" });
}

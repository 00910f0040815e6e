import type { AnswerData } from "#lib/core/outcome-data.ts";
import type { RequestRow } from "#lib/core/record.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import type { ModelWorld } from "./model-world.ts";

/** P6, P9: nothing that a person was told is lost, and answers are kept word for word. */
export async function confirmedProblems(
  world: ModelWorld,
  requests: ReadonlyMap<string, RequestRow>,
  events: readonly DeskEvent[],
): Promise<string[]> {
  const problems: string[] = [];
  const { confirmed } = world;
  const { store } = world.record;
  const changed = (requestId: string, to: string, by?: string) =>
    events.some(
      (event) =>
        event.kind === "user_request_changed" &&
        event.payload.requestId === requestId &&
        event.payload.to === to &&
        (by === undefined || event.payload.by === by),
    );
  const expectChanged = (requestId: string, to: string, by?: string) => {
    if (!changed(requestId, to, by)) problems.push(`P6: ${requestId} was confirmed as ${to} by ${by}, and is not`);
  };
  for (const id of confirmed.messages) if (!(await store.trigger(id))) problems.push(`P6: message ${id} is lost`);
  for (const { requestId, decision, by } of confirmed.decisions)
    expectChanged(requestId, decision === "approve" ? "approved" : "denied", by);
  for (const { requestId, by, answers } of confirmed.answers) {
    expectChanged(requestId, "answered", by);
    const told = events.find((event) => event.kind === "trigger_queued" && event.payload.requestId === requestId);
    const data = (await store.trigger(told?.triggerId ?? ""))?.data as Partial<AnswerData> | undefined;
    const brought = data?.answers?.map(({ questionId, optionIds, other }) => ({
      questionId,
      optionIds,
      ...(other !== null && { other }),
    }));
    for (const kept of [requests.get(requestId)?.answers, brought]) {
      if (JSON.stringify(kept) !== JSON.stringify(answers))
        problems.push(`P9: the answers of ${requestId} are ${JSON.stringify(kept)}`);
    }
  }
  for (const { requestId, by } of confirmed.dismissals) expectChanged(requestId, "dismissed", by);
  for (const { requestId, by } of confirmed.resolutions) expectChanged(requestId, "resolved", by);
  for (const requestId of confirmed.cancelled) expectChanged(requestId, "cancelled");
  const { rules } = await store.policy();
  for (const { change, rule } of confirmed.rules) {
    const removed = confirmed.rules.some((one) => one.change === "removed" && one.rule.id === rule.id);
    const isThere = rules.some(({ id }) => id === rule.id);
    if (change === "added" ? !isThere && !removed : isThere)
      problems.push(`P6: rule ${rule.id} was ${change}, and is not`);
  }
  for (const answer of world.scripts.answers) {
    const row = await store.call(answer.callId);
    if (row?.status !== answer.status || row.resultText !== answer.text)
      problems.push(`P6: the answer to ${answer.callId} is not what it was`);
  }
  return problems;
}

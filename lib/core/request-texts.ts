import type { RequestState } from "#lib/protocol/states.ts";
import type { OutcomeData } from "./outcome-data.ts";
import type { RequestRow } from "./record.ts";
import { requestLabel } from "./user-requests-table.ts";

/** Somebody's words inside a text for a model: one quoted line, so that they cannot pass for anything else. */
export function quoted(text: string): string {
  // JSON leaves the other line breaks of Unicode as they are.
  return JSON.stringify(text.toWellFormed()).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What a held call answers at once. */
export function heldText(number: number): string {
  return `Held: it waits for a person as ${requestLabel(number)} and has not run. Do not repeat it and do not wait for it; the outcome comes as a new message.`;
}

/** What `ask_user` answers at once. */
export function askedText(number: number): string {
  return `Asked as ${requestLabel(number)}. Do not wait: end this turn. The answer arrives as a new message that names ${requestLabel(number)}.`;
}

/** What is added to the result of a write whose outcome is not known. */
export function uncertainText(text: string, number: number): string {
  return `${text}\nWhether it took effect is not known. A person looks at it as ${requestLabel(number)}. Do not repeat it.`;
}

/** The part of a request that its present state is told from. */
export type PresentState = Pick<RequestRow, "number" | "state" | "decidedBy" | "note" | "resultText">;

/** How a request stands, for whoever repeats its call or reads the completed calls. */
export function presentText(request: PresentState): string {
  const label = requestLabel(request.number);
  const by = request.decidedBy ?? "nobody";
  const words = request.note ? ` Their words: ${quoted(request.note)}.` : "";
  const result = request.resultText === null ? "" : ` Its result: ${quoted(request.resultText)}.`;
  const texts: Record<RequestState, string> = {
    pending: `${label} waits for a person; it has not run. Do not repeat it.`,
    approved: `${label} was approved by ${by} and is about to run.`,
    running: `${label} was approved by ${by} and is running.`,
    completed: `${label} was approved by ${by} and has run.${result}`,
    failed: `${label} was approved by ${by} and failed; it did not take effect.${result}`,
    uncertain: `${label} was approved by ${by}; whether it took effect is not known.${result}`,
    denied: `${label} was denied by ${by}; it did not run.${words}`,
    expired: `${label} expired; it did not run.`,
    cancelled: `${label} was cancelled; it did not run.`,
    answered: `${label} was answered by ${by}; the answer comes as a message of its own.`,
    dismissed: `${label} was dismissed by ${by}, without an answer.`,
    resolved: `${label} was resolved by ${by}.${words}`,
    settled: `${label} was settled by a late return.${result}`,
  };
  return texts[request.state];
}

/** The text of an outcome's trigger: ours but for what is quoted. */
export function outcomeText(data: OutcomeData): string {
  const by = data.by ?? "nobody";
  const what = `Outcome of ${data.label} (${data.tool}): `;
  const words = data.note ? ` ${data.by === null ? "Reason" : `Words of ${by}`}, quoted: ${quoted(data.note)}.` : "";
  const result = data.resultText === null ? "" : ` Its result, quoted: ${quoted(data.resultText)}.`;
  const texts: Record<OutcomeData["state"], string> = {
    completed: `approved by ${by} and run.`,
    failed: `approved by ${by}, but it failed and did not take effect.`,
    uncertain: `approved by ${by} and started, but whether it took effect is not known; a person looks at it. Do not repeat it.`,
    denied: `denied by ${by}; it did not run.`,
    expired: "expired; nobody decided in time, and it did not run.",
    dismissed: `dismissed by ${by}, no answer.`,
    voided: "its approval is void; it did not run and waits for a person again.",
    resolved: resolvedText(data.resolution, by),
    settled: "its result came late.",
  };
  return `${what}${texts[data.state]}${words}${result}`;
}

function resolvedText(resolution: OutcomeData["resolution"], by: string): string {
  if (resolution === "ran") return `${by} looked at it: it took effect.`;
  if (resolution === "didNotRun") return `${by} looked at it: it did not take effect.`;
  return `${by} had it run again under the same key.`;
}

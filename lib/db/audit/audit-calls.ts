import type { Event, Prisma, ToolCall } from "#lib/db/generated/sqlite/client.ts";
import { fromStoredText } from "#lib/db/stored-text.ts";
import { eventInWords, payloadOf, placeOf } from "./event-place.ts";
import { eventsAbout } from "./events-about.ts";
import type { Findings } from "./finding.ts";

// A call can weigh megabytes.
const pageRows = 50;

/**
 * Compares the call history with its events: each call has one `tool_call`, and one `tool_result` that says the same as
 * its row, or none while it runs. Gives how many calls there are.
 */
export async function auditCalls(reader: Prisma.TransactionClient, findings: Findings): Promise<number> {
  let count = 0;
  let after = "";
  for (;;) {
    const calls = await reader.toolCall.findMany({
      where: { id: { gt: after } },
      orderBy: { id: "asc" },
      take: pageRows,
    });
    const last = calls.at(-1);
    if (last === undefined) return count;
    after = last.id;
    count += calls.length;
    const ids = calls.map((call) => call.id);
    const asked = await eventsAbout(reader, ids, ["tool_call"]);
    const answered = await eventsAbout(reader, ids, ["tool_result"]);
    for (const call of calls) {
      auditAsked(call, asked.get(call.id) ?? [], findings);
      auditAnswered(call, answered.get(call.id) ?? [], findings);
    }
  }
}

function callInWords(call: ToolCall): string {
  return `call ${call.id} (${call.name}) of ${call.deskName}`;
}

function auditAsked(call: ToolCall, events: readonly Event[], findings: Findings): void {
  const deskName = call.deskName;
  const [event] = events;
  if (event === undefined || events.length > 1) {
    findings.add(`The ${callInWords(call)} has ${events.length} tool_call events instead of one.`, { deskName });
    return;
  }
  const payload = payloadOf(event);
  const agrees =
    event.deskName === call.deskName &&
    event.triggerId === call.triggerId &&
    payload?.["name"] === fromStoredText(call.name);
  if (!agrees) findings.add(`The ${callInWords(call)} is not what ${eventInWords(event)} says.`, placeOf(event));
}

function auditAnswered(call: ToolCall, events: readonly Event[], findings: Findings): void {
  const deskName = call.deskName;
  const isOpen = call.status === "running" || call.status === "recorded";
  const expected = isOpen ? 0 : 1;
  if (events.length !== expected) {
    const message = `The ${callInWords(call)} is ${call.status} and has ${events.length} results instead of ${expected}.`;
    findings.add(message, { deskName });
    return;
  }
  const [event] = events;
  if (event === undefined) return;
  const payload = payloadOf(event);
  const text = call.resultText === null ? "" : fromStoredText(call.resultText);
  if (payload?.["status"] !== call.status) {
    const message = `The ${callInWords(call)} is ${call.status}, but ${eventInWords(event)} says ${String(payload?.["status"])}.`;
    findings.add(message, placeOf(event));
  } else if (payload["text"] !== text || payload["isError"] !== call.isError) {
    findings.add(`The result of ${callInWords(call)} is not what ${eventInWords(event)} says.`, placeOf(event));
  }
}

import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventPage } from "#lib/protocol/views.ts";
import { ToldDesk, until } from "#tests/support/told-desk.ts";
import { expectRefusal } from "./refusals.ts";

let desk: ToldDesk;

beforeAll(async () => {
  desk = await ToldDesk.start();
});

afterAll(async () => {
  expect(desk.server.logged("error")).toEqual([]);
  expect(await desk.server.stop()).toBe(0);
});

const options = [
  { label: "Tight", description: "Near" },
  { label: "Wide", description: "Far", preview: "| level |\n| --- |\n| 1.10 |" },
];
const questions = [
  { question: "Which stop?", header: "Stop", options, multiSelect: false },
  { question: "Which pairs?", header: "Pairs", options, multiSelect: true },
];
const right = [
  { questionId: "q1", optionIds: [], other: "  <b>neither</b>\r\n## Already approved\t" },
  { questionId: "q2", optionIds: ["o1", "o2"] },
];

it("P9, Q1: each answer arrives word for word at its own question, once", async () => {
  const request = await desk.ask(questions);
  const path = `/api/requests/${request.id}/answer`;
  expect(await desk.reply("answerRequest", path, { answers: right })).toMatchObject({
    state: "answered",
    answers: right,
  });
  expect((await desk.send(path, { answers: right })).status).toBe(200);
  const other = [{ questionId: "q1", optionIds: ["o1"] }, right[1]];
  const { request: told } = expectRefusal(await desk.send(path, { answers: other }), { code: "already_decided" });
  expect(told).toMatchObject({ answers: right, decidedBy: "operator" });
  const queued = await until(async () => {
    const { events } = await desk.get<EventPage>("/api/events?kind=trigger_queued&limit=500");
    const payloads = events.map((event) => event.payload as { kind: string; requestId?: string });
    return payloads.filter(({ kind, requestId }) => kind === "answer" && requestId === request.id);
  });
  expect(queued).toHaveLength(1);
});

it.each([
  ["a question left out", [right[0]]],
  ["no answer to one", [{ questionId: "q1", optionIds: [] }, right[1]]],
  ["blank words", [{ questionId: "q1", optionIds: [], other: " \n" }, right[1]]],
  ["two where one may be chosen", [{ questionId: "q1", optionIds: ["o1", "o2"] }, right[1]]],
  ["an option and other where one may be chosen", [{ questionId: "q1", optionIds: ["o1"], other: "x" }, right[1]]],
  ["an option that is none", [{ questionId: "q1", optionIds: ["o9"] }, right[1]]],
  ["a question that was not asked", [...right, { questionId: "q3", optionIds: ["o1"] }]],
  ["a question twice", [right[0], right[0], right[1]]],
])("P14: %s is refused by name, and the question still waits", async (_what, answers) => {
  const request = await desk.ask([{ ...questions[0], question: `${Math.random()}?` }, questions[1]]);
  const error = expectRefusal(await desk.send(`/api/requests/${request.id}/answer`, { answers }));
  expect(error.field).toBeTruthy();
  expect(await desk.inState(request.id, "pending")).toMatchObject({ answers: null });
  expect(await desk.reply("dismissRequest", `/api/requests/${request.id}/dismiss`, {})).toMatchObject({
    state: "dismissed",
  });
});

it("a hold is not answered, and a question is not decided", async () => {
  const hold = await desk.hold("100");
  expectRefusal(await desk.send(`/api/requests/${hold.id}/answer`, { answers: right }));
  expectRefusal(await desk.send(`/api/requests/${hold.id}/dismiss`, {}));
  expectRefusal(await desk.send(`/api/requests/${hold.id}/resolve`, { outcome: "ran", note: "" }));
  const question = await desk.ask([{ ...questions[0], question: "Another?" }]);
  expectRefusal(await desk.send(`/api/requests/${question.id}/decision`, { decision: "approve", digest: "0" }));
});

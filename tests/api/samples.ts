import type { z } from "zod";
import type { Route, routes } from "#lib/protocol/routes.ts";

/** The routes that take a body: the compiler asks for a sample of a new one. */
type WithBody = {
  [Name in keyof typeof routes]: (typeof routes)[Name]["body"] extends z.ZodType ? Name : never;
}[keyof typeof routes];

/** A valid body of each route that takes one, with every field that there is. */
export const bodies: { [Name in WithBody]: z.input<NonNullable<(typeof routes)[Name]["body"]>> & object } = {
  createDesk: {
    name: "sample",
    instructions: "Sell high.",
    backends: ["playbook:trend"],
    toolsets: ["market"],
    caps: { callsPerTurn: 5 },
  },
  changeDesk: {
    status: "active",
    instructions: "",
    backends: ["playbook:trend"],
    toolsets: ["market"],
    caps: { callsPerTurn: 5 },
    capSeen: true,
  },
  sendMessage: { text: "hello", clientId: "c1" },
  stopDesk: { all: true },
  pauseDesk: {},
  pauseAll: {},
  decideRequest: { decision: "approve", digest: "0", arguments: {}, note: "" },
  checkRequest: { arguments: {} },
  answerRequest: { answers: [{ questionId: "q1", optionIds: ["o1"], other: "" }] },
  dismissRequest: {},
  resolveRequest: { outcome: "ran", note: "" },
};

/** The path of a route with a parameter in each place, of things that do not exist. */
export function pathOf(route: Pick<Route, "path">): string {
  return route.path.replace(":desk", "no-such-desk").replace(":id", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

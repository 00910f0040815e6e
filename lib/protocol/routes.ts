import { z } from "zod";
import {
  answerBody,
  changeDeskBody,
  checkBody,
  createDeskBody,
  decisionBody,
  emptyBody,
  messageBody,
  resolveBody,
  stopBody,
} from "./bodies.ts";
import { callsQuery, emptyQuery, eventsQuery, requestsQuery } from "./queries.ts";
import {
  asOfSchema,
  callViewSchema,
  checkViewSchema,
  deskViewSchema,
  eventPageSchema,
  requestReplySchema,
  requestViewSchema,
} from "./views.ts";

/** Who may use a route, once accounts exist; until then the local operator is all of them. */
export type Role = "anyone" | "viewer" | "operator" | "lead";

/** One door: what it takes and what it gives. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH";
  /** With `:name` for a parameter, as in `/api/desks/:desk`. */
  readonly path: `/api/${string}`;
  readonly role: Role;
  readonly summary: string;
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  readonly status: 200 | 201 | 202;
  /** Null: not JSON. */
  readonly reply: z.ZodType | null;
}

const route = <const R extends Route>(definition: R) => definition;

/** Every route there is. A file under `app/api` that is not in this list fails a test, and the other way round. */
export const routes = {
  health: route({
    method: "GET",
    path: "/api/health",
    role: "anyone",
    summary: "Whether the server and its database answer",
    query: emptyQuery,
    body: null,
    status: 200,
    reply: z.object({
      status: z.enum(["ok", "read_only"]),
      version: z.string(),
      database: z.string(),
    }),
  }),
  listDesks: route({
    method: "GET",
    path: "/api/desks",
    role: "viewer",
    summary: "All desks",
    query: emptyQuery,
    body: null,
    status: 200,
    reply: z.object({ asOf: asOfSchema, desks: z.array(deskViewSchema) }),
  }),
  createDesk: route({
    method: "POST",
    path: "/api/desks",
    role: "lead",
    summary: "Makes a desk",
    query: emptyQuery,
    body: createDeskBody,
    status: 201,
    reply: deskViewSchema,
  }),
  readDesk: route({
    method: "GET",
    path: "/api/desks/:desk",
    role: "viewer",
    summary: "One desk",
    query: emptyQuery,
    body: null,
    status: 200,
    reply: deskViewSchema,
  }),
  changeDesk: route({
    method: "PATCH",
    path: "/api/desks/:desk",
    role: "lead",
    summary: "Changes, resumes or archives a desk",
    query: emptyQuery,
    body: changeDeskBody,
    status: 200,
    reply: deskViewSchema,
  }),
  sendMessage: route({
    method: "POST",
    path: "/api/desks/:desk/messages",
    role: "operator",
    summary: "Writes to a desk; the same clientId again gives the same answer",
    query: emptyQuery,
    body: messageBody,
    status: 202,
    reply: z.object({ triggerId: z.string() }),
  }),
  stopDesk: route({
    method: "POST",
    path: "/api/desks/:desk/stop",
    role: "operator",
    summary: "Stops the running or latest turn and cancels what waits of it; with all, everything of the desk",
    query: emptyQuery,
    body: stopBody,
    status: 200,
    reply: z.object({ stopped: z.array(z.string()), cancelled: z.array(z.string()) }),
  }),
  pauseDesk: route({
    method: "POST",
    path: "/api/desks/:desk/pause",
    role: "operator",
    summary: "Pauses a desk",
    query: emptyQuery,
    body: emptyBody,
    status: 200,
    reply: deskViewSchema,
  }),
  pauseAll: route({
    method: "POST",
    path: "/api/pause-all",
    role: "operator",
    summary: "Pauses every active desk",
    query: emptyQuery,
    body: emptyBody,
    status: 200,
    reply: z.object({ paused: z.array(z.string()) }),
  }),
  deskTools: route({
    method: "GET",
    path: "/api/desks/:desk/tools",
    role: "viewer",
    summary: "The tools of a desk, with JSON Schemas",
    query: emptyQuery,
    body: null,
    status: 200,
    reply: z.object({
      tools: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          effect: z.enum(["read", "write"]),
          parameters: z.unknown(),
        }),
      ),
    }),
  }),
  listEvents: route({
    method: "GET",
    path: "/api/events",
    role: "viewer",
    summary: "A page of the timeline; after and before are positions",
    query: eventsQuery,
    body: null,
    status: 200,
    reply: eventPageSchema,
  }),
  listCalls: route({
    method: "GET",
    path: "/api/calls",
    role: "viewer",
    summary: "A page of the call history, newest first; before is a call's id",
    query: callsQuery,
    body: null,
    status: 200,
    reply: z.object({ calls: z.array(callViewSchema), more: z.boolean() }),
  }),
  listRequests: route({
    method: "GET",
    path: "/api/requests",
    role: "viewer",
    summary: "What waits: uncertain calls first, then by time left; with state, those",
    query: requestsQuery,
    body: null,
    status: 200,
    reply: z.object({ asOf: asOfSchema, requests: z.array(requestViewSchema) }),
  }),
  readRequest: route({
    method: "GET",
    path: "/api/requests/:id",
    role: "viewer",
    summary: "One request, with its ticket as of now",
    query: emptyQuery,
    body: null,
    status: 200,
    reply: requestReplySchema,
  }),
  decideRequest: route({
    method: "POST",
    path: "/api/requests/:id/decision",
    role: "operator",
    summary: "Approves or denies a hold; 409 tells the decision that won",
    query: emptyQuery,
    body: decisionBody,
    status: 200,
    reply: requestReplySchema,
  }),
  checkRequest: route({
    method: "POST",
    path: "/api/requests/:id/check",
    role: "operator",
    summary: "What an edited call would run",
    query: emptyQuery,
    body: checkBody,
    status: 200,
    reply: checkViewSchema,
  }),
  answerRequest: route({
    method: "POST",
    path: "/api/requests/:id/answer",
    role: "operator",
    summary: "Answers a question; every one of its questions",
    query: emptyQuery,
    body: answerBody,
    status: 200,
    reply: requestReplySchema,
  }),
  dismissRequest: route({
    method: "POST",
    path: "/api/requests/:id/dismiss",
    role: "operator",
    summary: "Closes a question without an answer",
    query: emptyQuery,
    body: emptyBody,
    status: 200,
    reply: requestReplySchema,
  }),
  resolveRequest: route({
    method: "POST",
    path: "/api/requests/:id/resolve",
    role: "operator",
    summary: "Says of an uncertain call whether it ran, or runs it again under the same key",
    query: emptyQuery,
    body: resolveBody,
    status: 200,
    reply: requestReplySchema,
  }),
  readPicture: route({
    method: "GET",
    path: "/api/pictures/:id",
    role: "viewer",
    summary: "A result's picture",
    query: emptyQuery,
    body: null,
    status: 200,
    reply: null,
  }),
  openApi: route({
    method: "GET",
    path: "/api/openapi.json",
    role: "viewer",
    summary: "This table as OpenAPI 3.1",
    query: emptyQuery,
    body: null,
    status: 200,
    reply: z.unknown(),
  }),
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

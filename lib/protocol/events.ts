import { z } from "zod";
import {
  backendFailureKindSchema,
  deskStatusSchema,
  outcomeSchema,
  requestKindSchema,
  requestStateSchema,
  triggerKindSchema,
} from "./states.ts";
import { capReachedSchema } from "./caps.ts";

const json = z.json();

/** The payload of each kind of event. The record keeps them as JSON text. */
export const eventPayloads = {
  /** Words: of a person to a desk, of a desk to its people, or of Deskboard itself. */
  message: z.object({
    from: z.enum(["person", "desk", "deskboard"]),
    name: z.string(),
    text: z.string(),
    clientId: z.string().optional(),
  }),
  trigger_queued: z.object({
    triggerId: z.string(),
    kind: triggerKindSchema,
    from: z.string(),
    text: z.string(),
    requestId: z.string().optional(),
    /** How often it was started before: above 0 where a restart interrupted it. */
    runs: z.number(),
  }),
  turn_started: z.object({ triggerId: z.string(), run: z.number(), attempt: z.number() }),
  turn_ended: z.object({
    triggerId: z.string(),
    /** `stopped` also ends a trigger that was still queued. */
    state: z.enum(["done", "failed", "stopped"]),
    reason: z.string().optional(),
    by: z.string().optional(),
  }),
  tool_call: z.object({
    triggerId: z.string(),
    callId: z.string(),
    name: z.string(),
    /** As given; absent where the caller gave none. */
    arguments: json.optional(),
    attempt: z.number(),
    backend: z.string(),
    /** The approved request that this call carries out. */
    requestId: z.string().optional(),
  }),
  tool_result: z.object({
    triggerId: z.string(),
    callId: z.string(),
    name: z.string(),
    isError: z.boolean(),
    text: z.string(),
    picturePath: z.string().optional(),
    status: z.enum(["succeeded", "failed", "uncertain", "refused", "denied", "held"]),
    outcome: outcomeSchema,
    /** The request that the call waits for, or carries out. */
    requestId: z.string().optional(),
    durationMs: z.number().optional(),
  }),
  user_request: z.object({
    requestId: z.string(),
    number: z.number(),
    kind: requestKindSchema,
    callId: z.string(),
    tool: z.string(),
    summary: z.string(),
  }),
  user_request_changed: z.object({
    requestId: z.string(),
    number: z.number(),
    from: requestStateSchema,
    to: requestStateSchema,
    by: z.string().optional(),
    reason: z.string().optional(),
  }),
  backend_failed: z.object({
    triggerId: z.string(),
    attempt: z.number(),
    backend: z.string(),
    kind: backendFailureKindSchema,
    message: z.string(),
    completed: z.array(z.object({ callId: z.string(), name: z.string() })),
    next: z.string().nullable(),
  }),
  desk_changed: z.object({
    status: deskStatusSchema,
    by: z.string(),
    /** What changed, by field; instructions with their version. */
    changes: z.record(z.string(), json),
    capReached: capReachedSchema.nullish(),
  }),
  policy_changed: z.object({
    version: z.number(),
    by: z.string(),
    ruleId: z.string(),
    change: z.enum(["added", "removed"]),
    rule: json,
  }),
} as const;

export type EventKind = keyof typeof eventPayloads;
export type EventPayload<K extends EventKind> = z.infer<(typeof eventPayloads)[K]>;
export const eventKinds = Object.keys(eventPayloads) as [EventKind, ...EventKind[]];
export const eventKindSchema = z.enum(eventKinds);

/** What has no desk of its own goes to this stream. */
export const systemStream = "_system";

type EventOf<K extends EventKind> = {
  /** Global, from 1, without gaps and in the order of commits: what every list and cursor sorts by. */
  position: number;
  deskName: string;
  /** From 1, without gaps, for each desk. */
  seq: number;
  kind: K;
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  triggerId: string | null;
  payload: EventPayload<K>;
  previousHash: string;
  hash: string;
};

/** One thing that happened, as stored. */
export type DeskEvent = { [K in EventKind]: EventOf<K> }[EventKind];

/** One event of a given kind. */
export type DeskEventOf<K extends EventKind> = Extract<DeskEvent, { kind: K }>;

/** An event that a unit is about to commit: the store gives it its position, seq, time and hash. */
export type NewEvent = {
  [K in EventKind]: {
    deskName: string;
    kind: K;
    triggerId: string | null;
    payload: EventPayload<K>;
  };
}[EventKind];

/** An event as it crosses the wire. */
export const deskEventSchema = z.object({
  position: z.number(),
  deskName: z.string(),
  seq: z.number(),
  kind: eventKindSchema,
  at: z.string(),
  triggerId: z.string().nullable(),
  payload: z.unknown(),
  previousHash: z.string(),
  hash: z.string(),
});

import { z } from "zod";
import { capReachedSchema, capsSchema } from "./caps.ts";
import { deskEventSchema } from "./events.ts";
import { answerSchema, questionSchema } from "./questions.ts";
import {
  callStatusSchema,
  deskStatusSchema,
  effectSchema,
  outcomeSchema,
  requestKindSchema,
  requestStateSchema,
  triggerKindSchema,
  verdictSchema,
} from "./states.ts";
import { ticketSchema } from "./ticket.ts";

/** A desk as people see it. */
export const deskViewSchema = z.object({
  name: z.string(),
  status: deskStatusSchema,
  instructions: z.string(),
  instructionsVersion: z.number(),
  backends: z.array(z.string()),
  toolsets: z.array(z.string()),
  caps: capsSchema,
  capReached: capReachedSchema.nullable(),
  /** Why the desk takes no more calls though it is active: its record could not be written. */
  halted: z.string().nullable(),
  running: z.object({ triggerId: z.string(), startedAt: z.string() }).nullable(),
  queued: z.number(),
  waiting: z.number(),
  createdAt: z.string(),
});
export type DeskView = z.infer<typeof deskViewSchema>;

/** A call of the history. */
export const callViewSchema = z.object({
  callId: z.string(),
  deskName: z.string(),
  triggerId: z.string(),
  attempt: z.number(),
  backend: z.string(),
  name: z.string(),
  /** JSON text as given, or null where none were given. */
  argumentsGiven: z.string().nullable(),
  /** Normalised, canonical JSON text; null where they were not valid. */
  arguments: z.string().nullable(),
  effect: effectSchema.nullable(),
  verdict: verdictSchema.nullable(),
  verdictReason: z.string().nullable(),
  status: callStatusSchema,
  outcome: outcomeSchema.nullable(),
  resultText: z.string().nullable(),
  isError: z.boolean().nullable(),
  picturePath: z.string().nullable(),
  requestId: z.string().nullable(),
  recordedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type CallView = z.infer<typeof callViewSchema>;

/** A request as people see it; what is not of its kind is null. */
export const requestViewSchema = z.object({
  id: z.string(),
  /** `R-41`. */
  label: z.string(),
  number: z.number(),
  deskName: z.string(),
  kind: requestKindSchema,
  state: requestStateSchema,
  triggerId: z.string(),
  callId: z.string(),
  tool: z.string(),
  backend: z.string(),
  attempt: z.number(),
  /** Canonical JSON text of what will run (permission), ran (uncertain) or was asked (question). */
  arguments: z.string(),
  /** As the desk gave them, where an edit replaced them. */
  argumentsBeforeEdit: z.string().nullable(),
  /** What a decision has to name; null where nothing can be decided. */
  digest: z.string().nullable(),
  reason: z.string(),
  ticket: ticketSchema.nullable(),
  /** The ticket as of now, for one request that waits. */
  ticketNow: ticketSchema.nullable(),
  questions: z.array(questionSchema).nullable(),
  answers: z.array(answerSchema).nullable(),
  /** The same call, decided within the last day. */
  decidedBefore: z
    .object({
      requestId: z.string(),
      label: z.string(),
      state: requestStateSchema,
      by: z.string(),
      at: z.string(),
    })
    .nullable(),
  /** What a look-up by the idempotency key found, for an uncertain call. */
  lookUp: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  decision: z.string().nullable(),
  note: z.string().nullable(),
  /** The call that carried it out, and how it ended. */
  runCallId: z.string().nullable(),
  resultText: z.string().nullable(),
  trigger: z.object({ kind: triggerKindSchema, from: z.string(), text: z.string(), createdAt: z.string() }).nullable(),
});
export type RequestView = z.infer<typeof requestViewSchema>;

/**
 * A position of the record that a snapshot certainly includes. Of two snapshots the one with the lower `asOf` is never the
 * newer one, whichever arrives last.
 */
export const asOfSchema = z.number();

/** One request, as a snapshot. */
export const requestReplySchema = requestViewSchema.extend({ asOf: asOfSchema });
export type RequestReply = z.infer<typeof requestReplySchema>;

/** What an edited call would run. */
export const checkViewSchema = z.object({
  arguments: z.string(),
  verdict: verdictSchema,
  reason: z.string(),
  ticket: ticketSchema.nullable(),
  digest: z.string(),
});
export type CheckView = z.infer<typeof checkViewSchema>;

/** A page of events: `after` and `before` of the next request are positions. */
export const eventPageSchema = z.object({
  events: z.array(deskEventSchema),
  /** The newest position that the database has. */
  head: z.number(),
  /** Whether more lie in the direction that was read. */
  more: z.boolean(),
});
export type EventPage = z.infer<typeof eventPageSchema>;

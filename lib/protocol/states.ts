import { z } from "zod";

export const deskStatusSchema = z.enum(["active", "paused", "archived"]);
export type DeskStatus = z.infer<typeof deskStatusSchema>;

export const triggerKindSchema = z.enum(["message", "answer", "outcome", "schedule", "webhook", "agent"]);
export type TriggerKind = z.infer<typeof triggerKindSchema>;

export const triggerStateSchema = z.enum(["queued", "running", "done", "failed", "stopped"]);
export type TriggerState = z.infer<typeof triggerStateSchema>;

export const callStatusSchema = z.enum([
  "recorded",
  "running",
  "succeeded",
  "failed",
  "uncertain",
  "refused",
  "denied",
  "held",
]);
export type CallStatus = z.infer<typeof callStatusSchema>;

export const requestKindSchema = z.enum(["question", "permission", "uncertain"]);
export type RequestKind = z.infer<typeof requestKindSchema>;

export const requestStateSchema = z.enum([
  "pending",
  "answered",
  "dismissed",
  "expired",
  "cancelled",
  "denied",
  "approved",
  "running",
  "completed",
  "failed",
  "uncertain",
  "resolved",
  "settled",
]);
export type RequestState = z.infer<typeof requestStateSchema>;

export const effectSchema = z.enum(["read", "write"]);
export type Effect = z.infer<typeof effectSchema>;

export const verdictSchema = z.enum(["allow", "hold", "deny"]);
export type Verdict = z.infer<typeof verdictSchema>;

/** What became of the work itself: `unknown` is the one that a person has to look at. */
export const outcomeSchema = z.enum(["done", "notDone", "unknown"]);
export type Outcome = z.infer<typeof outcomeSchema>;

export const backendFailureKindSchema = z.enum([
  "unreachable",
  "key_refused",
  "rate_limited",
  "overloaded",
  "context_too_long",
  "broken_reply",
  "broken_stream",
  "silent",
]);
export type BackendFailureKind = z.infer<typeof backendFailureKindSchema>;

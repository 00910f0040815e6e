import { z } from "zod";

const cap = (least: number, most: number, standard: number) => z.int().min(least).max(most).default(standard);

/** The caps of a desk. At a cap the desk gets an error result, and its people a card that offers to pause it. */
export const capsSchema = z.strictObject({
  /** Tool calls in one turn. */
  callsPerTurn: cap(1, 10_000, 100),
  /** Requests to a model in one turn. */
  modelRequestsPerTurn: cap(1, 1_000, 50),
  /** Minutes that one turn may take. */
  minutesPerTurn: cap(1, 24 * 60, 30),
  /** Requests of the desk that wait for a person at once. */
  pendingRequests: cap(1, 1_000, 20),
  /** Triggers of the desk that wait at once. */
  queuedTriggers: cap(1, 10_000, 100),
});
export type Caps = z.infer<typeof capsSchema>;
export type CapName = keyof Caps;

/** A cap that a desk has reached, until a person pauses the desk or lets it go on. */
export const capReachedSchema = z.object({
  cap: capsSchema.keyof(),
  limit: z.number(),
  triggerId: z.string().nullable(),
  at: z.string(),
});
export type CapReached = z.infer<typeof capReachedSchema>;

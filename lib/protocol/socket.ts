import { z } from "zod";
import { errorBodySchema } from "./errors.ts";
import { deskEventSchema } from "./events.ts";
import { limits } from "./limits.ts";

/** Where the socket is reached; same origin as the pages. */
export const socketPath = "/socket.io";

/** How often the heads are sent, in milliseconds. */
export const headsEveryMs = 5_000;

/** What the database has: the newest position of all, and the newest seq of each stream that is watched. */
export const headsSchema = z.object({
  position: z.number(),
  seqs: z.record(z.string(), z.number()),
});
export type Heads = z.infer<typeof headsSchema>;

/**
 * `watch`: some desks (`_system` is named like one), or all, those that are made later included. A later `watch` replaces
 * an earlier one.
 */
export const watchSchema = z.strictObject({
  desks: z.union([
    z.literal("all"),
    z.array(z.string().min(1).max(limits.deskNameCharacters)).max(limits.watchedDesks),
  ]),
});
export type Watch = z.infer<typeof watchSchema>;

/** What a `watch` is acknowledged with: every event that is committed after these heads is sent. */
export const watchedSchema = z.union([z.object({ heads: headsSchema }), errorBodySchema]);
export type Watched = z.infer<typeof watchedSchema>;

/**
 * An event as the socket brings it. One that is too large comes with `payload: null` and its size in bytes, and is read
 * over HTTP.
 */
export const liveEventSchema = deskEventSchema.extend({ size: z.number().optional() });
export type LiveEvent = z.infer<typeof liveEventSchema>;

/** `looking`: the card that this tab has open, or none. */
export const lookingSchema = z.strictObject({ requestId: z.string().min(1).max(limits.clientIdCharacters).nullable() });
export type Looking = z.infer<typeof lookingSchema>;

/** What a `looking` is acknowledged with. */
export type Looked = { ok: true } | z.infer<typeof errorBodySchema>;

/** `presence`: who has which card open. A person with the same card in two tabs is there once for each tab. */
export const presenceSchema = z.object({
  cards: z.array(z.object({ requestId: z.string(), people: z.array(z.object({ tab: z.string(), name: z.string() })) })),
});
export type Presence = z.infer<typeof presenceSchema>;

/** What the server sends. */
export interface ServerToClient {
  event: (event: LiveEvent) => void;
  heads: (heads: Heads) => void;
  presence: (presence: Presence) => void;
}

/** What the browser sends. Decisions go over HTTP, never over the socket. */
export interface ClientToServer {
  watch: (watch: Watch, acknowledge: (watched: Watched) => void) => void;
  looking: (looking: Looking, acknowledge: (looked: Looked) => void) => void;
}

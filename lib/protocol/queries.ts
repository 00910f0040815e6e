import { z } from "zod";
import { eventKindSchema } from "./events.ts";
import { limits } from "./limits.ts";
import { callStatusSchema, requestStateSchema } from "./states.ts";

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.number().min(least).max(most));
const position = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const limit = wholeNumber(1, limits.pageRows).default(limits.defaultPageRows);
const name = z.string().min(1).max(100);

/** A comma-separated list of words out of a set. */
function listOf<T extends string>(one: z.ZodType<T, T>) {
  return z
    .string()
    .max(500)
    .transform((text) => text.split(",") as T[])
    .pipe(z.array(one).min(1));
}

/** `GET /api/events` */
export const eventsQuery = z
  .strictObject({
    desk: name.optional(),
    kind: listOf(eventKindSchema).optional(),
    tool: name.optional(),
    trigger: name.optional(),
    q: z.string().min(1).max(limits.searchCharacters).optional(),
    after: position.optional(),
    before: position.optional(),
    limit,
  })
  .refine((query) => query.after === undefined || query.before === undefined, {
    message: "only one of after and before may be given",
    path: ["after"],
  });
export type EventsQuery = z.infer<typeof eventsQuery>;

/** `GET /api/calls` */
export const callsQuery = z.strictObject({
  desk: name.optional(),
  trigger: name.optional(),
  tool: name.optional(),
  status: listOf(callStatusSchema).optional(),
  before: z
    .string()
    .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, "must be the id of a call")
    .optional(),
  limit,
});
export type CallsQuery = z.infer<typeof callsQuery>;

/** `GET /api/requests`; without `state`, what waits. */
export const requestsQuery = z.strictObject({
  state: listOf(requestStateSchema).optional(),
  desk: name.optional(),
  limit,
});
export type RequestsQuery = z.infer<typeof requestsQuery>;

/** A route without parameters in its query. */
export const emptyQuery = z.strictObject({});

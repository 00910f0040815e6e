import { z } from "zod";
import { capsSchema } from "./caps.ts";
import { limits } from "./limits.ts";
import { answerSchema } from "./questions.ts";

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, "must be a slug: lower-case letters, digits and hyphens, a letter first")
  .max(limits.deskNameCharacters);
const text = (most: number) => z.string().min(1).max(most);
const names = z.array(text(100)).max(20);

/** `POST /api/desks` */
export const createDeskBody = z.strictObject({
  name,
  instructions: z.string().max(limits.instructionsCharacters).default(""),
  backends: names.min(1),
  toolsets: names.min(1),
  caps: capsSchema.partial().optional(),
});
export type CreateDeskBody = z.infer<typeof createDeskBody>;

/** `PATCH /api/desks/:desk` */
export const changeDeskBody = z
  .strictObject({
    status: z.enum(["active", "archived"]).optional(),
    instructions: z.string().max(limits.instructionsCharacters).optional(),
    backends: names.min(1).optional(),
    toolsets: names.min(1).optional(),
    caps: capsSchema.partial().optional(),
    /** Takes away the card of a cap that was reached. */
    capSeen: z.literal(true).optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "names nothing to change");
export type ChangeDeskBody = z.infer<typeof changeDeskBody>;

/** `POST /api/desks/:desk/messages` */
export const messageBody = z.strictObject({
  text: z
    .string()
    .max(limits.messageCharacters)
    .refine((value) => value.trim() !== "", "must not be empty"),
  clientId: text(limits.clientIdCharacters).optional(),
});
export type MessageBody = z.infer<typeof messageBody>;

/** `POST /api/desks/:desk/stop` */
export const stopBody = z.strictObject({
  /** Also every pending request and every queued trigger of the desk. */
  all: z.boolean().default(false),
});
export type StopBody = z.infer<typeof stopBody>;

/** `POST /api/desks/:desk/pause`, `POST /api/pause-all`, `POST /api/requests/:id/dismiss`: nothing to say. */
export const emptyBody = z.strictObject({});

/** `POST /api/requests/:id/decision` */
export const decisionBody = z.strictObject({
  decision: z.enum(["approve", "deny"]),
  digest: text(200),
  /** The edited arguments, with `approve` only. */
  arguments: z.unknown().optional(),
  note: z.string().max(limits.noteCharacters).optional(),
});
export type DecisionBody = z.infer<typeof decisionBody>;

/** `POST /api/requests/:id/check` */
export const checkBody = z.strictObject({ arguments: z.unknown() });

/** `POST /api/requests/:id/answer` */
export const answerBody = z.strictObject({ answers: z.array(answerSchema).max(limits.questions.most) });
export type AnswerBody = z.infer<typeof answerBody>;

/** `POST /api/requests/:id/resolve` */
export const resolveBody = z.strictObject({
  outcome: z.enum(["ran", "didNotRun", "runAgain"]),
  note: z.string().max(limits.noteCharacters),
});
export type ResolveBody = z.infer<typeof resolveBody>;

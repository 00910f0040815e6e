import { z } from "zod";

/** What can be wrong with a request, and the HTTP status that says so. The one place where the two meet. */
export const errorStatus = {
  invalid: 400,
  unknown_field: 400,
  bad_json: 400,
  bad_cursor: 400,
  forbidden_origin: 403,
  forbidden_host: 403,
  not_found: 404,
  method_not_allowed: 405,
  already_decided: 409,
  already_exists: 409,
  client_id_reused: 409,
  desk_not_active: 409,
  digest_mismatch: 409,
  expired: 409,
  refused_by_rule: 409,
  tool_changed: 409,
  too_many: 409,
  too_large: 413,
  unsupported_media_type: 415,
  record_unavailable: 503,
  internal: 500,
} as const;

/** A stable name for what is wrong. */
export type ErrorCode = keyof typeof errorStatus;

const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** The one form in which any door says that something is wrong. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    field: z.string().optional(),
    limit: z.string().optional(),
    given: z.string().optional(),
    /** For 409 on a decision: the request as it now stands, with who decided what and when. */
    request: z.unknown().optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

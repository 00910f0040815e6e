import { expect } from "vitest";
import { errorBodySchema, errorStatus, type ErrorBody } from "#lib/protocol/errors.ts";
import type { HttpAnswer } from "#tests/support/http.ts";

/** Expects an answer in the error form with what it should say, and the headers that every answer has. */
export function expectRefusal(answer: HttpAnswer, expected: Partial<ErrorBody["error"]> = {}): ErrorBody["error"] {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  expect(answer.status, answer.text).toBeLessThan(500);
  expect(answer.headers).toMatchObject({
    "content-type": expect.stringMatching(/^application\/json/),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  const { error } = errorBodySchema.parse(answer.json);
  expect(error).toMatchObject(expected);
  expect(answer.status).toBe(errorStatus[error.code]);
  expect(JSON.stringify({ ...error, request: null }).length).toBeLessThan(2000);
  return error;
}

import { isSafeNumber, LosslessNumber, parse } from "lossless-json";
import { AppError, isAppError } from "#lib/core/app-error.ts";
import { limits } from "#lib/protocol/limits.ts";
import { fieldName } from "./describe-issue.ts";

// The arguments of a call are one level inside the body that brings them.
const deepestBody = limits.argumentsDepth + 1;

/**
 * Reads a JSON body. Its size is counted while it arrives, so that no more than the limit is ever held.
 * @returns the value; a number that would lose digits is a `LosslessNumber` inside `arguments`, and refused elsewhere.
 * @throws AppError `unsupported_media_type`, `too_large` or `bad_json`.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  checkContentType(request.headers.get("content-type"));
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limits.bodyBytes) throw tooLarge(`${declared} bytes`);
  return parseJson(decode(await readBytes(request)));
}

/**
 * Parses the text of a body; see `readJsonBody`.
 * @throws AppError `bad_json`, or `invalid` for a number that cannot be kept.
 */
export function parseJson(text: string): unknown {
  if (text.trim() === "") {
    throw new AppError("bad_json", "A JSON body is expected", {
      field: "body",
      limit: "a JSON object",
      given: "nothing",
    });
  }
  checkDepth(text);
  let value: unknown;
  try {
    value = parse(text, null, { parseNumber: keepDigits, onDuplicateKey: refuseDuplicate });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AppError("bad_json", `The body is not JSON: ${error.message}`, { field: "body", limit: "JSON" });
  }
  refuseUnsafeNumbers(value, []);
  return value;
}

function checkContentType(contentType: string | null): void {
  // A form or plain text is what a foreign page can send without asking first; JSON is not.
  if (/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? "")) return;
  throw new AppError("unsupported_media_type", "The body must be JSON in UTF-8", {
    field: "content-type",
    limit: "application/json",
    given: contentType ?? "nothing",
  });
}

async function readBytes({ body }: Request): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // What is left when it turns out to be too much is for the caller to read away.
    for await (const chunk of body?.values({ preventCancel: true }) ?? []) {
      size += chunk.byteLength;
      if (size > limits.bodyBytes) throw tooLarge(`more than ${limits.bodyBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw new AppError("bad_json", "The body broke off", { field: "body", cause });
  }
  return chunks;
}

function decode(chunks: readonly Uint8Array[]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new AppError("bad_json", "The body is not UTF-8", { field: "body", limit: "UTF-8" });
  }
}

function tooLarge(given: string): AppError {
  const limit = `${limits.bodyBytes} bytes`;
  return new AppError("too_large", `The body may have at most ${limit}`, { field: "body", limit, given });
}

/** The parser descends by recursion: what is too deep must be refused before it. */
function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > deepestBody) {
      const limit = `${deepestBody} levels`;
      throw new AppError("bad_json", `The body is nested too deeply`, { field: "body", limit, given: "deeper" });
    }
  }
}

function keepDigits(text: string): number | LosslessNumber {
  return isSafeNumber(text) ? Number(text) : new LosslessNumber(text);
}

function refuseDuplicate({ key }: { key: string }): never {
  throw new AppError("bad_json", `The body has the key ${JSON.stringify(key)} twice`, { field: key, limit: "once" });
}

function refuseUnsafeNumbers(value: unknown, path: readonly (string | number)[]): void {
  if (value instanceof LosslessNumber) {
    const field = fieldName(path, "body");
    const limit = "a number that keeps its digits: at most 2^53 - 1, about 15 digits";
    throw new AppError("invalid", `${field} is a number with too many digits`, { field, limit, given: value.value });
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (path.length === 0 && key === "arguments") continue;
    refuseUnsafeNumbers(item, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

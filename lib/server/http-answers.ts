import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isAppError } from "#lib/core/app-error.ts";
import type { Log } from "#lib/core/ports/log.ts";
import { errorStatus } from "#lib/protocol/errors.ts";
import { apiHeaders } from "./answer-headers.ts";
import { discardRequest } from "./discard-body.ts";
import { errorForm } from "./error-form.ts";

const lingerMs = 1_000;

/** Answers with an error in the one form, where no handler was reached. */
export async function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  log: Log,
): Promise<void> {
  const { status, body } = errorForm(error, log);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  await discardRequest(request);
  const allow = isAppError(error) && error.code === "method_not_allowed" ? { allow: error.details.limit } : {};
  response.writeHead(status, { "content-type": "application/json", ...apiHeaders, ...allow });
  response.end(JSON.stringify(body));
}

/** Ends the connection of a client that still sends when it was answered, some time after it. */
export function endAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (!request.complete) setTimeout(() => request.destroy(), lingerMs).unref();
  });
}

/** Answers bytes that are no HTTP request: Node's parser refused them before there was a request. */
export function refuseBytes(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const overflow = error.code === "HPE_HEADER_OVERFLOW";
  const code = overflow ? "too_large" : "invalid";
  const message = overflow ? "The headers are too large" : "This is not an HTTP request, or it did not arrive in time";
  const body = JSON.stringify({ error: { code, message } });
  const status = errorStatus[code];
  const headers = {
    ...apiHeaders,
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
    "content-type": "application/json",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} Refused`, ...lines, "", body].join("\r\n"));
}

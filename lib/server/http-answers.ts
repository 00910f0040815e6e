import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { isAppError } from "#lib/core/app-error.ts";
import type { Log } from "#lib/core/ports/log.ts";
import { errorStatus } from "#lib/protocol/errors.ts";
import { apiHeaders } from "./answer-headers.ts";
import { errorForm } from "./error-form.ts";

const drainMs = 10_000;

/** Answers with an error in the one form, where no handler was reached. */
export function sendError(response: ServerResponse, error: unknown, log: Log): void {
  const { status, body } = errorForm(error, log);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const allow = isAppError(error) && error.code === "method_not_allowed" ? { allow: error.details.limit } : {};
  response.writeHead(status, { "content-type": "application/json", ...apiHeaders, ...allow });
  response.end(JSON.stringify(body));
}

/**
 * Reads away what a client still sends after it was answered, such as the rest of a body that was too large: closing the
 * connection on it would take the answer from it too. Not for ever.
 */
export function drainAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), drainMs).unref();
    request.once("close", () => clearTimeout(timer));
    request.removeAllListeners("readable").on("error", () => undefined);
    // Only from the next tick on does the stream know that nobody listens for `readable` any more.
    setImmediate(() => request.resume());
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
  const head = `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.end(`${head}\r\n\r\n${body}`);
}

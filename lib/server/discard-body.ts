import type { IncomingMessage } from "node:http";
import { limits } from "#lib/protocol/limits.ts";

const mostDiscardedBytes = 8 * limits.bodyBytes;

/**
 * Reads a body that nobody wants and throws it away, up to a bound. An answer that goes out while the client still sends
 * can be lost: whoever closes the connection on unread bytes takes the answer back.
 */
export async function discardBody(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (body) await discard(() => body.values({ preventCancel: true }));
}

/** The same for a request that no handler has seen. */
export async function discardRequest(request: IncomingMessage): Promise<void> {
  await discard(() => request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>);
}

async function discard(chunks: () => AsyncIterable<Uint8Array>): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of chunks()) {
      size += chunk.byteLength;
      if (size >= mostDiscardedBytes) return;
    }
  } catch {
    // Whoever sent it has gone.
  }
}

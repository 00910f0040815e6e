import type { Digest } from "#lib/core/ports/digest.ts";

/** What an event's hash covers. */
export interface HashedEvent {
  previousHash: string;
  position: number;
  deskName: string;
  seq: number;
  kind: string;
  at: string;
  triggerId: string | null;
  /** The payload's JSON text as stored: by its own digest, so that a payload can be moved aside. */
  payloadText: string;
}

/** What the first event of a desk names as the hash before it. */
export const firstPreviousHash = "0".repeat(64);

/** The hash of an event: the one definition, for the writer and for the audit. */
export function eventHash(event: HashedEvent, digest: Digest): string {
  return digest(
    JSON.stringify([
      event.previousHash,
      event.position,
      event.deskName,
      event.seq,
      event.kind,
      event.at,
      event.triggerId,
      digest(event.payloadText),
    ]),
  );
}

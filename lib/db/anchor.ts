import { createHmac, timingSafeEqual } from "node:crypto";
import type { Head } from "#lib/core/ports/store.ts";

/** Where the record stood at a time, under a key that whoever alters the database does not have. */
export interface Anchor {
  version: 1;
  at: string;
  position: number;
  heads: Head[];
  /** HMAC-SHA256 under the anchors' key, in hex. */
  mac: string;
}

/** An anchor of these heads. */
export function sealAnchor(key: string, heads: readonly Head[], at: string): Anchor {
  const sorted = heads.toSorted((one, other) => (one.deskName < other.deskName ? -1 : 1));
  const content = {
    version: 1 as const,
    at,
    position: Math.max(0, ...sorted.map((head) => head.position)),
    heads: sorted.map(({ deskName, position, seq, hash }) => ({ deskName, position, seq, hash })),
  };
  return { ...content, mac: macOf(key, content) };
}

/** Whether the anchor was made under this key and nobody changed it. */
export function isSealedBy(key: string, anchor: Anchor): boolean {
  const expected = Buffer.from(macOf(key, anchor), "hex");
  const given = Buffer.from(anchor.mac, "hex");
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function macOf(key: string, { version, at, position, heads }: Omit<Anchor, "mac">): string {
  const rows = heads.map((head) => [head.deskName, head.position, head.seq, head.hash]);
  return createHmac("sha256", key)
    .update(JSON.stringify([version, at, position, rows]))
    .digest("hex");
}

/** What an anchor has that the record lacks, in words; null where each of its heads is there. */
export async function missingHead(
  anchor: Anchor,
  eventAt: (position: number) => Promise<Head | null>,
): Promise<{ head: Head; message: string } | null> {
  for (const head of anchor.heads) {
    const found = await eventAt(head.position);
    const place = `event ${head.seq} of ${head.deskName} (position ${head.position})`;
    if (found === null) return { head, message: `${place} is gone` };
    if (found.deskName === head.deskName && found.seq === head.seq && found.hash === head.hash) continue;
    return { head, message: `${place} is not the one that was there` };
  }
  return null;
}

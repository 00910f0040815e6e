import { resolve } from "node:path";
import { isoNow, type Clock } from "#lib/core/ports/clock.ts";
import { anchorKey } from "./anchor-key.ts";
import { sealAnchor, type Anchor } from "./anchor.ts";
import { writeAnchor } from "./anchor-file.ts";
import { takeOwnership } from "./ownership.ts";
import { readHeads } from "./read-events.ts";
import { recordLocation } from "./record-location.ts";
import { connectClient } from "./sqlite/connection.ts";

/**
 * Replaces the last anchor by one of the record as it is: for whoever goes on in full knowledge with a database that
 * does not fit its anchor.
 * @throws AppError `record_unavailable` while another process owns the data.
 */
export async function acceptRecord(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  anchorKey?: string | null | undefined;
  clock: Clock;
}): Promise<Anchor> {
  const at = isoNow(options.clock);
  const dataDir = resolve(options.dataDir);
  const ownership = takeOwnership(dataDir, at);
  try {
    const client = await connectClient(recordLocation(dataDir, options.databaseUrl), "audit");
    try {
      const anchor = sealAnchor(await anchorKey(dataDir, options.anchorKey), await readHeads(client), at);
      await writeAnchor(dataDir, anchor);
      return anchor;
    } finally {
      await client.$disconnect();
    }
  } finally {
    ownership.release();
  }
}

import { AppError } from "#lib/core/app-error.ts";
import { isoNow, type Clock } from "#lib/core/ports/clock.ts";
import type { Log } from "#lib/core/ports/log.ts";
import type { Head } from "#lib/core/ports/store.ts";
import { isSealedBy, missingHead, sealAnchor } from "./anchor.ts";
import { anchorPath, readAnchor, writeAnchor } from "./anchor-file.ts";
import type { ChainHeads } from "./chain-heads.ts";

const everyMs = 60_000;

export interface AnchorsOptions {
  dataDir: string;
  key: string;
  heads: ChainHeads;
  clock: Clock;
  log: Log;
}

/**
 * Stops the start where the record is not the one of its last anchor. A record is born with an anchor, so events
 * without one are as wrong as an anchor without its events.
 * @throws AppError `record_unavailable` that says what is wrong and what can be done.
 */
export async function verifyLastAnchor(
  dataDir: string,
  key: string,
  isEmpty: boolean,
  eventAt: (position: number) => Promise<Head | null>,
): Promise<void> {
  const file = anchorPath(dataDir);
  const anchor = await readAnchor(dataDir);
  if (anchor === null) {
    if (isEmpty) return;
    throw refusal(`the database has events, but its anchor ${file} is missing`);
  }
  if (!isSealedBy(key, anchor)) {
    throw refusal(`the anchor ${file} was not made under this ANCHOR_KEY, or was changed`);
  }
  const missing = await missingHead(anchor, eventAt);
  if (missing !== null) throw refusal(`of the anchor of ${anchor.at}, ${missing.message}`);
}

function refusal(what: string): AppError {
  return new AppError(
    "record_unavailable",
    `The record does not fit its last anchor: ${what}. Either the database is older than the anchor (a backup, or a ` +
      "database file without its -wal), or somebody changed it. Put the right files back; to go on with what is there " +
      "in full knowledge, run `npm run audit -- --accept`.",
  );
}

/** Keeps the anchor up: at once, every minute while heads change, and at the end. */
export class Anchors {
  readonly #options: AnchorsOptions;
  #cancel: () => void = () => {};
  #written = -1;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: AnchorsOptions) {
    this.#options = options;
  }

  /** Writes an anchor now, and from now on every minute. */
  async start(): Promise<void> {
    await this.write();
    this.#schedule();
  }

  /** Writes the heads where they changed since the last time. */
  async write(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
    await this.#writing;
  }

  async stop(): Promise<void> {
    this.#cancel();
    await this.write();
  }

  async #write(): Promise<void> {
    const { dataDir, key, heads, clock } = this.#options;
    if (heads.position === this.#written) return;
    const anchor = sealAnchor(key, heads.all(), isoNow(clock));
    await writeAnchor(dataDir, anchor);
    this.#written = anchor.position;
  }

  #schedule(): void {
    this.#cancel = this.#options.clock.after(everyMs, () => {
      this.#schedule();
      this.write().catch((error: unknown) => {
        this.#options.log.error({ err: error }, "the anchor could not be written");
      });
    });
  }
}

import { AppError } from "#lib/core/app-error.ts";
import type { CommitResult, Unit } from "#lib/core/ports/unit.ts";
import type { Clock } from "#lib/core/ports/clock.ts";
import type { Digest } from "#lib/core/ports/digest.ts";
import type { ChainDraft, ChainHeads } from "./chain-heads.ts";
import { doUnit } from "./do-unit.ts";
import type { PrismaClient } from "./generated/sqlite/client.ts";
import { insertEvents } from "./sqlite/event-statements.ts";

/** What committing needs. */
export interface GroupContext {
  /** Nobody else may issue a statement on it: what is issued while a transaction is open joins that transaction. */
  client: PrismaClient;
  heads: ChainHeads;
  clock: Clock;
  digest: Digest;
}

/** Most units of one transaction. */
const mostUnits = 200;
/** A transaction takes no more units after this long: until it ends, nothing else in the process gets a turn. */
const takingMs = 20;
const transactionMs = 60_000;

/** One unit made the transaction fail: the last that was taken. Those before it had not. */
export class UnitFailure extends Error {
  constructor(cause: unknown) {
    super("a unit could not be done", { cause });
  }
}

/**
 * Commits the units that `take` gives, in one transaction, and gives their results in that order once all is on disk.
 * @throws where it could not: then nothing of any of them is in the record. A `UnitFailure` where one unit is why.
 */
export async function commitGroup(context: GroupContext, take: () => Unit | undefined): Promise<CommitResult[]> {
  const { client, heads, clock, digest } = context;
  const draft = heads.draft(digest);
  const results: CommitResult[] = [];
  let isComplete = false;
  try {
    await client.$transaction(
      async (transaction) => {
        const start = performance.now();
        do {
          const unit = take();
          if (unit === undefined) break;
          const result = doUnit(transaction, unit, draft, clock);
          results.push(await result.catch(failUnit));
        } while (results.length < mostUnits && performance.now() - start < takingMs);
        if (draft.rows.length > 0) await insertEvents(transaction, draft.rows);
        isComplete = true;
      },
      { timeout: transactionMs, maxWait: transactionMs },
    );
  } catch (error) {
    if (!isComplete || !(await isOnDisk(context, draft))) throw error;
  }
  heads.adopt(draft);
  return results;
}

function failUnit(cause: unknown): never {
  throw new UnitFailure(cause);
}

// Where COMMIT itself failed, only the database knows what became of it.
async function isOnDisk({ client, heads }: GroupContext, draft: ChainDraft): Promise<boolean> {
  const last = await client.event.findFirst({ orderBy: { position: "desc" } });
  const position = Number(last?.position ?? 0);
  if (position === heads.position) return false;
  if (position === draft.position && last?.hash === draft.rows.at(-1)?.hash) return true;
  throw new AppError(
    "record_unavailable",
    `The record ends at position ${position}, but ${heads.position} was confirmed last.`,
  );
}

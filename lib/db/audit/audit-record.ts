import { existsSync } from "node:fs";
import { AppError, isAppError } from "#lib/core/app-error.ts";
import type { Digest } from "#lib/core/ports/digest.ts";
import type { Anchor } from "#lib/db/anchor.ts";
import { readAnchor } from "#lib/db/anchor-file.ts";
import { readAnchorKey } from "#lib/db/anchor-key.ts";
import { recordLocation } from "#lib/db/record-location.ts";
import { connectClient } from "#lib/db/sqlite/connection.ts";
import { auditAnchor } from "./audit-anchor.ts";
import { auditCalls } from "./audit-calls.ts";
import { auditChains } from "./audit-chains.ts";
import { auditDesks } from "./audit-desks.ts";
import { auditPolicy } from "./audit-policy.ts";
import { auditRequests } from "./audit-requests.ts";
import { auditTriggers } from "./audit-triggers.ts";
import { type Finding, Findings } from "./finding.ts";

// A whole audit is one transaction, so that it sees one moment while the server goes on.
const auditMs = 24 * 60 * 60 * 1000;

export interface AuditOptions {
  dataDir: string;
  databaseUrl?: string | undefined;
  anchorKey?: string | null | undefined;
  digest: Digest;
}

export interface AuditReport {
  /** What is wrong: in words, the first thousand. */
  findings: Finding[];
  findingsCount: number;
  checked: {
    events: number;
    desks: number;
    triggers: number;
    calls: number;
    requests: number;
    rules: number;
    /** When the last anchor was written, and up to where it goes. */
    anchor: { at: string; position: number } | null;
  };
}

/**
 * Checks the whole record, reading only, also while its owner writes: chains, gaps, the last anchor, and that tables and
 * events agree.
 * @throws AppError `not_found` where there is no database; else where it cannot be opened or read.
 */
export async function auditRecord(options: AuditOptions): Promise<AuditReport> {
  const { dataDir, databaseUrl, digest } = options;
  const file = recordLocation(dataDir, databaseUrl);
  if (!existsSync(file)) throw new AppError("not_found", `There is no database at ${file}.`);
  const findings = new Findings();
  // Before the database: what an anchor names has to be in what is read after it.
  const anchor = await readAnchorOrReport(dataDir, findings);
  const key = options.anchorKey ?? (await readAnchorKey(dataDir));
  const client = await connectClient(file, "audit");
  try {
    return await client.$transaction(
      async (reader) => {
        await auditAnchor(reader, anchor, key, findings);
        const events = await auditChains(reader, digest, findings);
        const desks = await auditDesks(reader, findings);
        const triggers = await auditTriggers(reader, findings);
        const calls = await auditCalls(reader, findings);
        const requests = await auditRequests(reader, findings);
        const rules = await auditPolicy(reader, findings);
        const anchored = anchor && { at: anchor.at, position: anchor.position };
        const checked = { events, desks, triggers, calls, requests, rules, anchor: anchored };
        return { findings: findings.kept, findingsCount: findings.count, checked };
      },
      { timeout: auditMs },
    );
  } finally {
    await client.$disconnect();
  }
}

async function readAnchorOrReport(dataDir: string, findings: Findings): Promise<Anchor | null> {
  try {
    return await readAnchor(dataDir);
  } catch (error) {
    if (!isAppError(error)) throw error;
    findings.add(error.message);
    return null;
  }
}

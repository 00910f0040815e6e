import type { PaperOrderRow } from "#lib/core/record.ts";

/** The ledger of the plain paper account: one order a key, for ever. */
export interface PaperLedger {
  /** Appends the order, or gives the one that its key already has. */
  append(order: PaperOrderRow): Promise<{ order: PaperOrderRow; added: boolean }>;
  find(key: string): Promise<PaperOrderRow | null>;
  /** Oldest first. */
  ordersOf(deskName: string): Promise<PaperOrderRow[]>;
}

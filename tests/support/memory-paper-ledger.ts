import type { PaperLedger } from "#lib/core/ports/paper-ledger.ts";
import type { PaperOrderRow } from "#lib/core/record.ts";

/** A ledger without a database. */
export class MemoryPaperLedger implements PaperLedger {
  readonly #orders = new Map<string, PaperOrderRow>();

  async append(order: PaperOrderRow): Promise<{ order: PaperOrderRow; added: boolean }> {
    const earlier = this.#orders.get(order.key);
    if (earlier) return { order: earlier, added: false };
    this.#orders.set(order.key, order);
    return { order, added: true };
  }

  async find(key: string): Promise<PaperOrderRow | null> {
    return this.#orders.get(key) ?? null;
  }

  async ordersOf(deskName: string): Promise<PaperOrderRow[]> {
    return [...this.#orders.values()].filter((order) => order.deskName === deskName);
  }
}

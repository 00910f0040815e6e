import type { PaperLedger } from "#lib/core/ports/paper-ledger.ts";
import type { Store } from "#lib/core/ports/store.ts";

/** The paper account's ledger in the record: one order a key, held by a condition of its unit. */
export function storedPaperLedger(store: Store): PaperLedger {
  return {
    async append(order) {
      const result = await store.commit({
        name: "paperOrder",
        when: [{ that: "noPaperOrder", key: order.key }],
        changes: [{ insert: "paperOrder", row: order }],
        events: [],
      });
      if (result.committed) return { order, added: true };
      if (result.winner?.table === "paperOrder") return { order: result.winner.row, added: false };
      throw new Error(`the ledger neither took nor has an order under ${order.key}`);
    },
    find: (key) => store.paperOrder(key),
    ordersOf: (deskName) => store.paperOrders(deskName),
  };
}

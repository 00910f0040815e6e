import type { Quote } from "#lib/tools/market/market.ts";
import { PaperAccount } from "#lib/tools/paper-account/paper-account.ts";
import { paperAccountToolset } from "#lib/tools/paper-account/toolset.ts";
import { manualClock } from "./manual-clock.ts";
import { MemoryPaperLedger } from "./memory-paper-ledger.ts";
import { toolOf } from "./run-tool.ts";

/** A market whose prices a test sets; bid and ask are what was set. */
export class SetMarket {
  readonly symbols: readonly string[] = ["EURUSD", "USDJPY", "BTCUSD"];
  readonly #prices = new Map<string, { bid: string; ask: string }>();

  set(symbol: string, bid: string, ask = bid): void {
    this.#prices.set(symbol, { bid, ask });
  }

  quote(symbol: string): Quote {
    const { bid, ask } = this.#prices.get(symbol) ?? { bid: "1.10000", ask: "1.10006" };
    return { symbol, bid, ask, mid: bid, marketTime: "2026-09-08T14:02:11Z", marketDay: 30 };
  }

  decimals(symbol: string): number {
    return { EURUSD: 5, USDJPY: 3, BTCUSD: 0 }[symbol] ?? 5;
  }
}

/** An account on a ledger in memory, with its tools. */
export function newPaperAccount() {
  const market = new SetMarket();
  const ledger = new MemoryPaperLedger();
  const clock = manualClock("2026-10-01T09:00:00.000Z");
  let count = 0;
  const account = new PaperAccount({ ledger, market, clock, ids: { next: () => `P${(count += 1)}` } });
  const toolset = paperAccountToolset({ account, clock });
  return { market, ledger, clock, account, place: toolOf(toolset, "place_order"), get: toolOf(toolset, "get_account") };
}

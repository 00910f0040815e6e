import type { Clock } from "#lib/core/ports/clock.ts";
import { dailyRates } from "#lib/tools/market/daily-rates.ts";
import { Market } from "#lib/tools/market/market.ts";

/** The demonstration's market with days of 120 s, beginning at the clock's now. */
export function testMarket(clock: Clock, changes: { epochMs?: number; startDay?: number; seed?: string } = {}): Market {
  return new Market({ rates: dailyRates, clock, epochMs: clock.now(), dayMs: 120_000, ...changes });
}

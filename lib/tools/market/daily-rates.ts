import { z } from "zod";
import { canonicalDecimal } from "#lib/protocol/decimal.ts";
import { pairs } from "./pairs.ts";
import stored from "./daily-rates.json" with { type: "json" };

const dayMs = 24 * 60 * 60 * 1000;

const close = z.string().refine((text) => Number(canonicalDecimal(text)) > 0, { error: "must be a decimal above 0" });

const dailyRatesSchema = z
  .object({
    source: z.string(),
    dates: z.array(z.iso.date()).min(2),
    closes: z.record(z.string(), z.array(close)),
  })
  .superRefine(({ dates, closes }, context) => {
    const fail = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    for (const [index, date] of dates.entries()) {
      const before = dates[index - 1];
      if (before !== undefined && Date.parse(date) - Date.parse(before) !== dayMs) {
        fail(["dates", index], `must be the day after ${before}`);
      }
    }
    for (const [symbol, rates] of Object.entries(closes)) {
      const pair = pairs[symbol];
      if (!pair) fail(["closes", symbol], "is not a pair that this market knows");
      if (rates.length !== dates.length)
        fail(["closes", symbol], `must have ${dates.length} rates, has ${rates.length}`);
      for (const [index, rate] of rates.entries()) {
        const decimals = rate.split(".")[1]?.length ?? 0;
        if (pair && decimals > pair.decimals)
          fail(["closes", symbol, index], `must have at most ${pair.decimals} decimals`);
      }
    }
  });

/** Reference rates, one a day and pair, without gaps. */
export interface DailyRates {
  source: string;
  /** `2026-08-09`, each the day after the one before. */
  dates: readonly string[];
  /** For each symbol a rate a date, as decimal text. */
  closes: Readonly<Record<string, readonly string[]>>;
}

/** @throws ZodError that says what is wrong with the data. */
export function parseDailyRates(data: unknown): DailyRates {
  return dailyRatesSchema.parse(data);
}

/** The rates that the demonstration replays. */
export const dailyRates: DailyRates = parseDailyRates(stored);

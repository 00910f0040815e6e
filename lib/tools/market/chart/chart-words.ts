import { marketLabel } from "#lib/tools/market/market.ts";
import type { ChartData } from "./chart-data.ts";

/** What a chart shows, in words and numbers, for whoever does not see pictures. */
export function chartInWords(data: ChartData): string {
  const { symbol, closes, now, average, highest, lowest, changePercent, fromAveragePercent, wentRoundAt } = data;
  const first = closes[0] ?? highest;
  const last = closes.at(-1) ?? highest;
  const lines = [
    `A chart of ${symbol}: a line through ${closes.length} daily closes from ${first.date} to ${last.date}, then dashed to now.`,
    `Now ${now.price} at ${now.marketTime.replace("T", " ").replace("Z", " UTC")}, ${changePercent} from the first close, ${first.close}; the last close is ${last.close}.`,
    `Highest close ${highest.close} (${highest.date}), lowest ${lowest.close} (${lowest.date}), average ${average}; now lies ${fromAveragePercent} from it.`,
    `The closes are real reference rates, replayed; highs and lows within a day are not known. Now is ${marketLabel}.`,
  ];
  if (wentRoundAt !== null) {
    const date = closes[wentRoundAt]?.date ?? now.marketTime.slice(0, 10);
    lines.push(
      `The replay went round on ${date}: it came to its last rate and went on from its first. What is computed across that says little of the market.`,
    );
  }
  return lines.join("\n");
}

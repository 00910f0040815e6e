import { z } from "zod";
import { defineTool, done, type Tool } from "#lib/core/tool.ts";
import { marketLabel, type Market } from "#lib/tools/market/market.ts";
import { symbolSchema } from "#lib/tools/market/symbol-schema.ts";
import { chartData } from "./chart-data.ts";
import { chartInWords } from "./chart-words.ts";
import type { DrawChart } from "./chart-worker.ts";

const days = { least: 2, most: 52, standard: 20 } as const;

/** The tool `draw_chart`: a picture of the last closes and of now, and the same in words. */
export function drawChartTool(market: Market, draw: DrawChart): Tool {
  return defineTool({
    name: "draw_chart",
    description:
      "Draws the last daily closes of a pair and its price now as a picture for people, and says in words what it shows. " +
      `There is one close a day, without highs and lows: a line, no candles. Prices are ${marketLabel}.`,
    effect: "read",
    timeoutMs: 15_000,
    parameters: z.strictObject({
      symbol: symbolSchema(market.symbols),
      days: z
        .int({ error: `must be a whole number from ${days.least} to ${days.most}` })
        .min(days.least, { error: `must be at least ${days.least}` })
        .max(days.most, { error: `must be at most ${days.most}` })
        .default(days.standard)
        .describe(`How many closes, ${days.least} to ${days.most}.`),
    }),
    async run(args, { signal }) {
      const data = chartData(market, args.symbol, args.days);
      return done(chartInWords(data), { type: "image/png", bytes: await draw(data, signal) });
    },
  });
}

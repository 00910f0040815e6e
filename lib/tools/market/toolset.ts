import { z } from "zod";
import { defineTool, done, type Toolset } from "#lib/core/tool.ts";
import { chartWorker, type DrawChart } from "./chart/chart-worker.ts";
import { drawChartTool } from "./chart/draw-chart.ts";
import { marketLabel, type Market } from "./market.ts";
import { symbolSchema } from "./symbol-schema.ts";

const days = { most: 52, standard: 20 } as const;

/** The toolset `market`: `get_quote` and `get_rates`, whose results are JSON, and `draw_chart`. */
export function marketToolset(market: Market, draw: DrawChart = chartWorker()): Toolset {
  const symbol = symbolSchema(market.symbols);
  const getQuote = defineTool({
    name: "get_quote",
    description: `The price of a pair now: bid, ask, middle and the market's own time. Prices are ${marketLabel}.`,
    effect: "read",
    parameters: z.strictObject({ symbol }),
    run: async (args) => done(JSON.stringify({ ...market.quote(args.symbol), market: marketLabel })),
  });
  const getRates = defineTool({
    name: "get_rates",
    description:
      "The last daily closes of a pair up to the market's own now, oldest first. They are real reference rates, replayed.",
    effect: "read",
    parameters: z.strictObject({
      symbol,
      days: z
        .int({ error: `must be a whole number from 1 to ${days.most}` })
        .min(1, { error: `must be at least 1` })
        .max(days.most, { error: `must be at most ${days.most}` })
        .default(days.standard)
        .describe(`How many closes, 1 to ${days.most}.`),
    }),
    run: async (args) =>
      done(
        JSON.stringify({
          symbol: args.symbol,
          closes: market.closes(args.symbol, args.days).map(({ date, close }) => [date, close]),
          market: "replayed reference rates",
        }),
      ),
  });
  return { name: "market", tools: [getQuote, getRates, drawChartTool(market, draw)] };
}

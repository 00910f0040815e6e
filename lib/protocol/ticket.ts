import { z } from "zod";

/**
 * What an order card shows above the arguments: drawn from the normalised arguments that will run and from what the
 * tool knows at that moment. All numbers are already text, in plain decimal form with group separators.
 */
export const ticketSchema = z.object({
  /** The order in one line, as the confirming button reads it: `SELL 200,000 EURUSD MARKET`. */
  headline: z.string(),
  side: z.enum(["buy", "sell"]).optional(),
  rows: z.array(z.object({ label: z.string(), value: z.string() })),
  /** When it was drawn, ISO 8601 in UTC. */
  at: z.string(),
});
export type Ticket = z.infer<typeof ticketSchema>;

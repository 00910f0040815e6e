import { z } from "zod";

/** A symbol of the market: blanks around it and its letter case make no difference. */
export function symbolSchema(symbols: readonly string[]) {
  const known = symbols.join(", ");
  return z
    .string({ error: `must be one of ${known}` })
    .trim()
    .toUpperCase()
    .refine((symbol) => symbols.includes(symbol), { error: `must be one of ${known}` })
    .describe(`One of ${known}.`);
}

/** How a pair is quoted. One tick is the last decimal. */
export interface Pair {
  decimals: number;
  /** Ask minus bid; even, so that the middle is a tick. */
  spreadTicks: number;
}

/** The pairs that the market can quote, with decimals and spreads of the kind that a retail broker shows. */
export const pairs: Readonly<Record<string, Pair>> = {
  EURUSD: { decimals: 5, spreadTicks: 6 },
  GBPUSD: { decimals: 5, spreadTicks: 8 },
  AUDUSD: { decimals: 5, spreadTicks: 8 },
  USDJPY: { decimals: 3, spreadTicks: 8 },
  USDCHF: { decimals: 5, spreadTicks: 10 },
  USDCAD: { decimals: 5, spreadTicks: 10 },
  XAUUSD: { decimals: 2, spreadTicks: 30 },
  XAGUSD: { decimals: 3, spreadTicks: 24 },
  BTCUSD: { decimals: 0, spreadTicks: 16 },
  ETHUSD: { decimals: 2, spreadTicks: 90 },
  SOLUSD: { decimals: 2, spreadTicks: 6 },
};

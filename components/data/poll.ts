/** How often what is shown is read again, in milliseconds. */
export const pollMs = {
  /** Everything, while live is down. */
  fallback: 2_000,
  /** The ticket of a hold that waits: the market moves without an event. */
  request: 3_000,
  /** Whether the record can be written: what cannot be recorded makes no event. */
  health: 5_000,
} as const;

/** How often what is shown is read again, in milliseconds. */
export const pollMs = {
  board: 1_000,
  request: 3_000,
  health: 5_000,
} as const;

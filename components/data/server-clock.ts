/** A `Date` header has whole seconds, and an answer takes its time: below this the two clocks count as equal. */
const toleranceMs = 2_000;

let offsetMs = 0;

/** Learns from an answer's `Date` header how far the server's clock is from this one. */
export function noteServerDate(header: string | null, receivedMs: number): void {
  const serverMs = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(serverMs)) return;
  const seen = serverMs - receivedMs;
  if (Math.abs(seen) <= toleranceMs) offsetMs = 0;
  else if (Math.abs(seen - offsetMs) > toleranceMs) offsetMs = seen;
}

/** Now, by the server's clock, in milliseconds since 1970. Only for showing: the server decides by its own. */
export function serverNow(): number {
  return Date.now() + offsetMs;
}

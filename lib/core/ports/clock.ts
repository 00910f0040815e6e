/** The time, and waiting, as a port: tests drive it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Calls back once after `delayMs`; the returned function cancels it and may be called twice. */
  after(delayMs: number, callback: () => void): () => void;
}

/** `now` as the record keeps times. */
export function isoNow(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Whether a stored time lies after now. What cannot be read as a time does not. */
export function isAfterNow(time: string | null, nowMs: number): boolean {
  if (time === null) return false;
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(time) ? Date.parse(time) : Number.NaN;
  return ms > nowMs;
}

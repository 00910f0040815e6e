"use client";

import { useNowSeconds } from "#components/data/use-now.ts";
import { clockOf, dayAndTime } from "#components/times.ts";

interface CountdownProps {
  expiresAt: string;
  /** What happens at the end: `then not run`. */
  then: string;
}

/** The time that is left, by the server's clock; whether it has run out is for the server to say. */
export function Countdown({ expiresAt, then }: CountdownProps) {
  const now = useNowSeconds();
  const end = Date.parse(expiresAt) / 1000;
  const left = now === null ? null : end - now;
  const running = left !== null && left > 0;
  return (
    <time dateTime={expiresAt} title={`until ${dayAndTime(expiresAt)}`} className="font-mono text-xs text-waits">
      {left === null || Number.isNaN(left) ? "–" : running ? clockOf(left) : "time is up"}
      {running && <span className="max-sm:sr-only">, {then}</span>}
    </time>
  );
}

/** How long ago something was. */
export function Ago({ since }: { since: string }) {
  const now = useNowSeconds();
  const text = now === null ? "–" : `${clockOf(now - Date.parse(since) / 1000)} ago`;
  return (
    <time dateTime={since} title={dayAndTime(since)} className="font-mono text-xs text-waits">
      {text}
    </time>
  );
}

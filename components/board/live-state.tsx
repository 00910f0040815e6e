"use client";

import { useLiveStatus } from "#components/data/use-live.ts";
import { timeOfDay } from "#components/times.ts";
import { classes } from "#components/ui/classes.ts";

const dots = { live: "bg-done", connecting: "bg-faint", down: "bg-failed" } as const;

/** For the header: whether what happens arrives here at once. */
export function LiveState() {
  const live = useLiveStatus();
  return (
    <p data-live={live.state} className="flex items-center gap-1.5 text-muted max-sm:sr-only">
      <span aria-hidden className={classes("size-2 rounded-full", dots[live.state])} />
      {live.state === "down" ? `down since ${timeOfDay(new Date(live.since).toISOString())}` : live.state}
    </p>
  );
}

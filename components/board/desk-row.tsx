"use client";

import type { DeskView } from "#lib/protocol/views.ts";
import { useChangeDesk, usePauseDesk, useStopDesk } from "#components/data/desks.ts";
import { FailureNote } from "#components/failure-note.tsx";
import { timeOfDay } from "#components/times.ts";
import { Button } from "#components/ui/button.tsx";
import { classes } from "#components/ui/classes.ts";
import { Menu } from "#components/ui/menu.tsx";

/** What a desk does now, in words. */
function doing(desk: DeskView): string {
  const parts = [];
  if (desk.halted !== null) parts.push("halted");
  parts.push(desk.running ? `turn since ${timeOfDay(desk.running.startedAt)}` : "no turn runs");
  if (desk.queued > 0) parts.push(`${desk.queued} queued`);
  return parts.join(" · ");
}

/** One desk of the list. */
export function DeskRow({ desk }: { desk: DeskView }) {
  const pause = usePauseDesk();
  const change = useChangeDesk(desk.name);
  const stop = useStopDesk(desk.name);
  const active = desk.status === "active";
  const busy = pause.isPending || change.isPending || stop.isPending;
  const items = [
    { id: "turn", label: `Stop the turn of ${desk.name}`, onChoose: () => stop.mutate(false) },
    { id: "all", label: `Stop everything of ${desk.name}, and what waits`, onChoose: () => stop.mutate(true) },
  ];
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-2">
      <div className="flex items-baseline gap-2">
        <span aria-hidden className={classes("size-2 shrink-0 rounded-full", active ? "bg-done" : "bg-faint")} />
        <span className="min-w-0 font-semibold wrap-anywhere">{desk.name}</span>
        <span className="text-muted">{desk.status}</span>
        {desk.waiting > 0 && (
          <span className="ms-auto shrink-0 rounded-md bg-waits-ground px-1.5 font-mono text-xs text-waits">
            {desk.waiting} <span className="sr-only">waiting</span>
          </span>
        )}
      </div>
      <p className="text-xs text-muted">{doing(desk)}</p>
      <div className="flex gap-2">
        {active ? (
          <Button
            className="px-2"
            aria-label={`Pause ${desk.name}`}
            disabled={busy}
            onClick={() => pause.mutate(desk.name)}
          >
            Pause
          </Button>
        ) : (
          <Button
            className="px-2"
            aria-label={`Resume ${desk.name}`}
            disabled={busy}
            onClick={() => change.mutate({ status: "active" })}
          >
            Resume
          </Button>
        )}
        <Menu label="Stop…" fullLabel={`Stop ${desk.name}…`} look="bad" disabled={stop.isPending} items={items} />
      </div>
      <FailureNote error={pause.error ?? change.error ?? stop.error} />
    </li>
  );
}

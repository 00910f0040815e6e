"use client";

import { useEffect } from "react";
import { useDesks, usePauseAll } from "#components/data/desks.ts";
import { useNowSeconds } from "#components/data/use-now.ts";
import { useWaiting } from "#components/data/waiting.ts";
import { Button } from "#components/ui/button.tsx";
import { classes } from "#components/ui/classes.ts";
import { ThemeToggle } from "#components/ui/theme-toggle.tsx";
import { LiveState } from "./live-state.tsx";

/** The name, whether live is there, how much waits, the time and its zone, and the button that pauses all. */
export function BoardHeader() {
  const waiting = useWaiting().data?.length ?? 0;
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) Deskboard` : "Deskboard";
  }, [waiting]);
  return (
    <header className="sticky top-0 z-10 flex items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-3 py-1.5">
      <h1 className="flex items-center gap-2 text-md font-semibold">
        <Mark />
        <span className="max-sm:sr-only">Deskboard</span>
      </h1>
      <p className={classes("font-medium", waiting > 0 ? "text-waits" : "text-muted")}>
        <span className="font-mono">{waiting}</span> waiting
      </p>
      <div className="ms-auto flex items-center gap-3">
        <LiveState />
        <UtcClock />
        <ThemeToggle />
        <PauseAll />
      </div>
    </header>
  );
}

function UtcClock() {
  const now = useNowSeconds();
  const iso = now === null ? null : new Date(now * 1000).toISOString();
  return (
    <time dateTime={iso ?? undefined} title={iso?.slice(0, 10)} className="font-mono text-xs text-muted">
      {iso?.slice(11, 19) ?? "--:--:--"} UTC
    </time>
  );
}

function PauseAll() {
  const desks = useDesks();
  const pauseAll = usePauseAll();
  const active = desks.data?.filter((desk) => desk.status === "active").length ?? 0;
  return (
    <Button
      disabled={active === 0 || pauseAll.isPending}
      title={pauseAll.error?.message}
      onClick={() => pauseAll.mutate()}
    >
      {pauseAll.error ? "Pause all: failed, again" : "Pause all"}
    </Button>
  );
}

function Mark() {
  return (
    <svg aria-hidden viewBox="0 0 20 20" className="size-4">
      <g className="fill-faint">
        <rect width="9" height="9" rx="2.5" />
        <rect y="11" width="9" height="9" rx="2.5" />
        <rect x="11" y="11" width="9" height="9" rx="2.5" />
      </g>
      <rect x="11" width="9" height="9" rx="2.5" className="fill-waits" />
    </svg>
  );
}

"use client";

import type { DeskView } from "#lib/protocol/views.ts";
import { useChangeDesk, useDesks, usePauseDesk } from "#components/data/desks.ts";
import { type ServerTrouble, useServerTrouble } from "#components/data/health.ts";
import { InertValue } from "#components/inert-value.tsx";
import { dayAndTime, timeOfDay } from "#components/times.ts";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";

const capWords = {
  callsPerTurn: "tool calls in one turn",
  modelRequestsPerTurn: "requests to a model in one turn",
  minutesPerTurn: "minutes in one turn",
  pendingRequests: "requests that wait",
  queuedTriggers: "queued triggers",
} as const;

/** What is wrong, at the foot of the page, so that nothing above it moves. */
export function Banners() {
  const trouble = useServerTrouble();
  const desks = useDesks().data ?? [];
  return (
    <div className="sticky bottom-0 z-10 flex flex-col" aria-live="assertive">
      {trouble && (
        <Notice look="failed" className="rounded-none border-x-0 font-medium">
          {trouble.message} <span className="font-normal">{whatItMeans(trouble)}</span>
        </Notice>
      )}
      {desks.map((desk) => (
        <DeskBanners key={desk.name} desk={desk} />
      ))}
    </div>
  );
}

function whatItMeans({ kind, since }: ServerTrouble): string {
  if (kind === "read_only") return "The desks take no more calls, and nothing can be decided until it can be.";
  const at = since === null ? null : dayAndTime(new Date(since).toISOString());
  if (kind === "live_down") return `Down since ${at}. Until it is back, this page reads what happens every 2 seconds.`;
  return `${at === null ? "" : `What is shown was so at ${at}. `}This page tries again by itself.`;
}

function DeskBanners({ desk }: { desk: DeskView }) {
  return (
    <>
      {desk.halted !== null && (
        <Notice look="failed" className="rounded-none border-x-0">
          <span className="font-medium">{desk.name} takes no more calls. </span>
          <InertValue text={desk.halted} />
        </Notice>
      )}
      {desk.capReached && <CapBanner desk={desk} cap={desk.capReached} />}
    </>
  );
}

function CapBanner({ desk, cap }: { desk: DeskView; cap: NonNullable<DeskView["capReached"]> }) {
  const pause = usePauseDesk();
  const change = useChangeDesk(desk.name);
  const busy = pause.isPending || change.isPending;
  const failure = pause.error ?? change.error;
  return (
    <Notice look="waits" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-none border-x-0">
      <p>
        <span className="font-medium">{desk.name} reached a cap: </span>
        {cap.limit} {capWords[cap.cap]}, at {timeOfDay(cap.at)}. {failure?.message}
      </p>
      <span className="ms-auto flex gap-2">
        <Button disabled={busy} onClick={() => change.mutate({ capSeen: true })}>
          Let {desk.name} go on
        </Button>
        {desk.status === "active" && (
          <Button look="bad" disabled={busy} onClick={() => pause.mutate(desk.name)}>
            Pause {desk.name}
          </Button>
        )}
      </span>
    </Notice>
  );
}

"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Fragment, useEffect } from "react";
import { trimTimeline, useTimeline } from "#components/data/events.ts";
import { FailureNote } from "#components/failure-note.tsx";
import { Button } from "#components/ui/button.tsx";
import { EventRow } from "./event-row.tsx";
import { useLinkedEvent } from "./use-linked-event.ts";
import { useTail } from "./use-tail.ts";

/** The newest events of all desks, oldest first. It stays where the reader is, and counts what is new. */
export function Timeline() {
  const client = useQueryClient();
  const { piece, error, older } = useTimeline();
  const events = piece?.events ?? [];
  const first = events[0]?.position ?? 0;
  const last = events.at(-1)?.position ?? 0;
  const { listRef, atTail, unseen, onScroll, toTail } = useTail(first, last);
  const canReadOlder = piece?.hasOlder === true && !older.isPending;
  useLinkedEvent(first, canReadOlder, older.mutate);
  useEffect(() => {
    if (atTail) trimTimeline(client, events.length);
  }, [atTail, events.length, client]);

  return (
    <section
      id="timeline"
      aria-labelledby="timeline-heading"
      tabIndex={-1}
      className="relative flex h-full flex-col outline-none"
    >
      <h2 id="timeline-heading" className="px-3 pt-3 pb-2 text-xs font-medium text-muted">
        Newest events
      </h2>
      {!piece && !error && <p className="px-3 text-muted">Reading the events…</p>}
      {!piece && <FailureNote error={error} />}
      <div ref={listRef} onScroll={onScroll} className="min-h-0 grow overflow-y-auto pb-3 [overflow-anchor:none]">
        {piece && (
          <div className="flex flex-wrap items-center gap-3 px-3 pb-2 text-xs text-muted">
            {piece.hasOlder ? (
              <Button disabled={older.isPending} onClick={() => older.mutate()}>
                {older.isPending ? "Reading…" : "Older"}
              </Button>
            ) : events.length === 0 ? (
              "Nothing has happened yet."
            ) : (
              "The record begins here."
            )}
            <FailureNote error={older.error} />
          </div>
        )}
        <ol aria-label="Events">
          {events.map((event, index) => (
            <Fragment key={event.position}>
              {event.at.slice(0, 10) !== events[index - 1]?.at.slice(0, 10) && (
                <li className="px-3 py-1 font-mono text-xs text-dim">{event.at.slice(0, 10)} UTC</li>
              )}
              <EventRow event={event} />
            </Fragment>
          ))}
        </ol>
      </div>
      {unseen > 0 && (
        <Button
          look="strong"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-xl shadow-lg"
          onClick={toTail}
        >
          {unseen} new ↓
        </Button>
      )}
    </section>
  );
}

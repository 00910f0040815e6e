"use client";

import { useWaiting } from "#components/data/waiting.ts";
import { FailureNote } from "#components/failure-note.tsx";
import { RequestCard } from "./request-card.tsx";
import { useShownCards } from "./use-shown-cards.ts";

/** So many cards follow the market; those further down show what the list says. */
const mostFollowed = 8;

/** What waits for a person: uncertain calls first, then by time left. */
export function WaitingList() {
  const waiting = useWaiting();
  const { cards, putAway, watch } = useShownCards(waiting.data);
  const count = waiting.data?.length ?? 0;
  return (
    <section
      id="waiting"
      aria-labelledby="waiting-heading"
      tabIndex={-1}
      className="flex min-w-0 flex-col gap-3 outline-none"
    >
      <h2 id="waiting-heading" className="flex justify-between text-xs font-medium text-muted">
        Waiting for you
        <span className="font-mono">{waiting.data ? count : "–"}</span>
      </h2>
      {waiting.data === undefined && !waiting.error && <p className="text-muted">Reading what waits…</p>}
      {waiting.data === undefined && <FailureNote error={waiting.error} />}
      {waiting.data !== undefined && count === 0 && (
        <p className="rounded-xl border border-line p-4 text-muted">
          Nothing waits. What a desk wants to do and may not do by itself shows here.
        </p>
      )}
      <div className="flex flex-col gap-3" {...watch}>
        {cards.map((card, index) => (
          <RequestCard key={card.request.id} card={card} followed={index < mostFollowed} onPutAway={putAway} />
        ))}
      </div>
    </section>
  );
}

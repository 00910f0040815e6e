"use client";

import type { RequestView } from "#lib/protocol/views.ts";
import { useResolve } from "#components/data/decisions.ts";
import { FailureNote } from "#components/failure-note.tsx";
import { InertValue } from "#components/inert-value.tsx";
import { TextArea } from "#components/ui/text-area.tsx";
import { TwoStep } from "#components/ui/two-step.tsx";
import { ArgumentsTable } from "./arguments-table.tsx";
import { Ago } from "./countdown.tsx";
import { headlineOf } from "./hold-card.tsx";
import { KeptWords } from "./kept-words.tsx";
import { useNoteDraft } from "./note-draft.ts";
import { QuotedWords } from "./quoted-words.tsx";
import { RequestFrame } from "./request-frame.tsx";
import { RequestOutcome } from "./request-outcome.tsx";

/** A write of which nobody knows whether it took effect. */
export function UncertainCard({ request, live }: { request: RequestView; live: boolean }) {
  const [note, setNote] = useNoteDraft(request.id);
  const resolve = useResolve(request.id);
  const headline = headlineOf(request);
  const order = <InertValue text={headline} className="font-mono" />;
  return (
    <RequestFrame request={request} live={live} time={<Ago since={request.createdAt} />}>
      <p className="font-mono text-md font-semibold">{order}</p>
      <p>
        <span className="font-semibold">Why it is uncertain. </span>
        <InertValue text={request.reason} className="text-muted" />
      </p>
      {request.lookUp === null ? (
        <p className="text-muted">No look-up says whether it ran. Look where it should have had its effect.</p>
      ) : (
        <QuotedWords whose={`What the look-up of ${request.tool} says now`} text={request.lookUp} />
      )}
      <ArgumentsTable json={request.arguments} caption="All arguments that ran, or did not" />
      {live ? (
        <>
          <TextArea
            label="How you know, for the record and for the desk"
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <FailureNote error={resolve.error} />
          <TwoStep
            about={`${request.id} ${headline}`}
            busy={resolve.isPending}
            hint={resolve.isPending ? "Sending…" : "Until it is closed, further writes with this tool are held."}
            onConfirm={(outcome) => resolve.mutate({ outcome, note }, { onSuccess: () => setNote(undefined) })}
            choices={[
              { id: "ran", label: "It ran…", confirm: <span>It ran: {order}</span>, confirmLook: "strong" },
              {
                id: "didNotRun",
                label: "It did not run…",
                confirm: <span>It did not run: {order}</span>,
                confirmLook: "strong",
              },
              {
                id: "runAgain",
                label: "Run again…",
                look: "bad",
                confirm: <span>Run again, under the same key: {order}</span>,
                confirmLook: "badSolid",
              },
            ]}
          />
        </>
      ) : (
        <>
          <FailureNote error={resolve.error} />
          <RequestOutcome request={request} />
          <KeptWords text={note} />
        </>
      )}
    </RequestFrame>
  );
}

"use client";

import type { RequestView } from "#lib/protocol/views.ts";
import { useDecide } from "#components/data/decisions.ts";
import { FailureNote } from "#components/failure-note.tsx";
import { InertValue } from "#components/inert-value.tsx";
import { TextArea } from "#components/ui/text-area.tsx";
import { TwoStep } from "#components/ui/two-step.tsx";
import { ArgumentsTable, argumentRows } from "./arguments-table.tsx";
import { Countdown } from "./countdown.tsx";
import { DecidedBefore } from "./decided-before.tsx";
import { KeptWords } from "./kept-words.tsx";
import { useNoteDraft } from "./note-draft.ts";
import { QuotedWords } from "./quoted-words.tsx";
import { RequestFrame, whoseTrigger } from "./request-frame.tsx";
import { RequestOutcome } from "./request-outcome.tsx";
import { TicketTable } from "./ticket-table.tsx";

/** What a confirming button reads: the order where the tool draws one, else the tool and how many arguments it has. */
export function headlineOf(request: RequestView): string {
  if (request.ticket) return request.ticket.headline;
  const count = argumentRows(request.arguments).length;
  return `${request.tool} with ${count === 1 ? "1 argument" : `${count} arguments`}`;
}

/** A call that waits for a person. */
export function HoldCard({ request, live }: { request: RequestView; live: boolean }) {
  const [note, setNote] = useNoteDraft(request.id);
  const decide = useDecide(request.id);
  const headline = headlineOf(request);
  const { digest } = request;
  const count = argumentRows(request.arguments).length;
  const send = (decision: "approve" | "deny") => {
    if (digest === null) return;
    const body = { decision, digest, ...(note !== "" && { note }) };
    decide.mutate(body, { onSuccess: () => setNote(undefined) });
  };
  return (
    <RequestFrame
      request={request}
      live={live}
      time={request.expiresAt !== null && <Countdown expiresAt={request.expiresAt} then="then not run" />}
    >
      {request.ticket && <TicketTable held={request.ticket} now={live ? request.ticketNow : null} />}
      <ArgumentsTable
        json={request.arguments}
        caption={`${count === 1 ? "The 1 argument" : `All ${count} arguments`} that will run, as ${request.deskName} gave ${count === 1 ? "it" : "them"}`}
      />
      <p>
        <span className="font-semibold">Why it waits. </span>
        <InertValue text={request.reason} className="text-muted" />
      </p>
      <DecidedBefore request={request} />
      {request.trigger && request.trigger.text !== "" && (
        <QuotedWords whose={whoseTrigger(request.trigger)} text={request.trigger.text} />
      )}
      {live && digest !== null ? (
        <>
          <TextArea
            label="Your words to the desk, with either decision"
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <FailureNote error={decide.error} />
          <TwoStep
            about={`${request.id} ${digest} ${headline}`}
            busy={decide.isPending}
            hint={decide.isPending ? "Sending…" : "A second press, here, confirms. Escape goes back."}
            onConfirm={send}
            choices={[
              {
                id: "deny",
                label: "Deny…",
                look: "bad",
                confirm: <Confirm verb="Deny" headline={headline} />,
                confirmLook: "badSolid",
              },
              {
                id: "approve",
                label: "Approve…",
                look: "good",
                confirm: <Confirm verb="Approve" headline={headline} />,
                confirmLook: "good",
              },
            ]}
          />
        </>
      ) : (
        <>
          <FailureNote error={decide.error} />
          <RequestOutcome request={request} />
          <KeptWords text={note} />
        </>
      )}
    </RequestFrame>
  );
}

function Confirm({ verb, headline }: { verb: string; headline: string }) {
  return (
    <span>
      {verb} <InertValue text={headline} className="font-mono" />
    </span>
  );
}

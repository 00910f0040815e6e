"use client";

import { type KeyboardEvent, useRef } from "react";
import type { Question } from "#lib/protocol/questions.ts";
import type { RequestView } from "#lib/protocol/views.ts";
import { useAnswer, useDismiss } from "#components/data/decisions.ts";
import { RequestFailed } from "#components/data/request-failed.ts";
import { useDraft } from "#components/data/use-draft.ts";
import { FailureNote } from "#components/failure-note.tsx";
import { Button } from "#components/ui/button.tsx";
import { TwoStep } from "#components/ui/two-step.tsx";
import { AnswerList } from "./answer-list.tsx";
import { Countdown } from "./countdown.tsx";
import { answersOf, choiceAt, emptyDraft, isTouched, missingAt, answerDraftSchema } from "./answer-draft.ts";
import { QuestionField } from "./question-field.tsx";
import { RequestFrame } from "./request-frame.tsx";
import { RequestOutcome } from "./request-outcome.tsx";

/** The id of the question that a refused answer is about: the server names it by its id or by its place. */
function questionOf(error: Error | null, questions: readonly Question[]): string | null {
  const field = error instanceof RequestFailed ? error.details.field : undefined;
  const [, place, id] = /^answers(?:\[(\d+)\]|\.(\w+))/.exec(field ?? "") ?? [];
  return questions.find((question, index) => question.id === id || String(index) === place)?.id ?? null;
}

/** Questions that a desk asks; it does not wait, and the answer starts a new turn. */
export function QuestionCard({ request, live }: { request: RequestView; live: boolean }) {
  const [draft, setDraft] = useDraft(`answer:${request.id}`, answerDraftSchema, emptyDraft);
  const answer = useAnswer(request.id);
  const dismiss = useDismiss(request.id);
  const fields = useRef<HTMLDivElement>(null);
  const questions = request.questions ?? [];
  const missing = missingAt(questions, draft);
  const busy = answer.isPending || dismiss.isPending;
  const failedAt = questionOf(answer.error, questions);

  const send = () => {
    if (busy || !live) return;
    const first = missing[0];
    if (first) {
      fields.current?.querySelector<HTMLElement>(`[data-question="${first.id}"] input`)?.focus();
      return;
    }
    answer.mutate({ answers: answersOf(questions, draft) }, { onSuccess: () => setDraft(undefined) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    send();
  };

  return (
    <RequestFrame
      request={request}
      live={live}
      time={request.expiresAt !== null && <Countdown expiresAt={request.expiresAt} then="then unanswered" />}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys rise from the inputs within */}
      <div ref={fields} className="flex flex-col gap-4" onKeyDown={onKeyDown} hidden={!live && !isTouched(draft)}>
        {!live && <p className="text-muted">What you had chosen, which was not sent:</p>}
        {questions.map((question) => (
          <QuestionField
            key={question.id}
            name={`${request.id} ${question.id}`}
            deskName={request.deskName}
            question={question}
            choice={choiceAt(draft, question)}
            disabled={!live || busy}
            failure={failedAt === question.id && <FailureNote error={answer.error} />}
            onChange={(choice) => setDraft({ ...draft, [question.id]: choice })}
          />
        ))}
      </div>
      {failedAt === null && <FailureNote error={answer.error} />}
      <FailureNote error={dismiss.error} />
      {live ? (
        <TwoStep
          about={request.id}
          busy={busy}
          hint={hintOf(busy, missing.length, questions.length)}
          onConfirm={() => dismiss.mutate()}
          choices={[
            {
              id: "dismiss",
              label: "Dismiss…",
              look: "quiet",
              confirm: `Dismiss ${request.label} without an answer`,
              confirmLook: "badSolid",
            },
          ]}
        >
          <div className="ms-auto flex items-center gap-3">
            <span className="text-xs text-waits" aria-live="polite" id={`missing-${request.id}`}>
              {missing.length > 0 && `Missing: ${missing.map((question) => question.header).join(", ")}`}
            </span>
            <Button
              look={missing.length === 0 ? "strong" : "plain"}
              aria-describedby={`missing-${request.id}`}
              disabled={busy}
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              onClick={send}
            >
              Send
            </Button>
          </div>
        </TwoStep>
      ) : (
        <>
          <RequestOutcome request={request} />
          <AnswerList request={request} />
        </>
      )}
    </RequestFrame>
  );
}

function hintOf(busy: boolean, missing: number, all: number): string {
  if (busy) return "Sending…";
  if (missing === 0) return "Ctrl+Enter sends, too. The answer starts a new turn of the desk.";
  return all === 1 ? "The desk does not wait: the answer starts a new turn." : `${all - missing} of ${all} answered.`;
}

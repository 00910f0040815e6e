import { type ReactNode, useId, useState } from "react";
import type { RequestView } from "#lib/protocol/views.ts";
import { useLooking, usePresence } from "#components/data/use-live.ts";
import { InertValue } from "#components/inert-value.tsx";
import { timeOfDay } from "#components/times.ts";
import { classes } from "#components/ui/classes.ts";

const kindWords = { permission: "Hold", question: "Question", uncertain: "Uncertain" } as const;

/** Whose text it is that started the turn. */
export function whoseTrigger({ kind, from }: NonNullable<RequestView["trigger"]>): string {
  return kind === "message" || kind === "answer"
    ? `The words of ${from}, which started the turn`
    : `The ${kind} that started the turn`;
}

/** Who or what the turn comes from, in words. */
export function startedBy(request: RequestView): string {
  const { trigger } = request;
  if (!trigger) return "started by a turn that is no longer kept";
  const what = {
    message: `${trigger.from}'s message`,
    answer: `${trigger.from}'s answer`,
    outcome: `the outcome of a request (${trigger.from})`,
    schedule: `the schedule ${trigger.from}`,
    webhook: `the webhook ${trigger.from}`,
    agent: `the outside agent ${trigger.from}`,
  }[trigger.kind];
  return `started by ${what} at ${timeOfDay(trigger.createdAt)}`;
}

interface RequestFrameProps {
  request: RequestView;
  /** Whether something can be decided here. */
  live: boolean;
  /** At the right of the heading: the time that is left. */
  time: ReactNode;
  children: ReactNode;
}

/** The frame of a card: what waits, of which desk, from where, since when. */
export function RequestFrame({ request, live, time, children }: RequestFrameProps) {
  const headingId = useId();
  const [hasFocus, setHasFocus] = useState(false);
  useLooking(hasFocus ? request.id : null);
  const others = new Set(usePresence(request.id).map(({ name }) => name));
  const uncertain = request.kind === "uncertain" && live;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the focus rises from what is in it
    <article
      aria-labelledby={headingId}
      data-request={request.id}
      onFocus={() => setHasFocus(true)}
      onBlur={(event) => setHasFocus(event.currentTarget.contains(event.relatedTarget))}
      className={classes(
        "flex min-w-0 flex-col gap-3 rounded-xl border p-3",
        uncertain ? "border-failed bg-failed-ground/40" : "border-line-strong bg-surface",
        !live && "border-dashed",
      )}
    >
      <header className="flex flex-col gap-0.5">
        <div className="flex items-baseline justify-between gap-3">
          <h3 id={headingId} className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-md font-semibold">
            <span className="font-mono text-xs font-normal text-muted">{request.label}</span>
            <span className={classes(uncertain && "text-failed")}>
              {kindWords[request.kind]} · <InertValue text={request.deskName} />
            </span>
            {request.kind !== "question" && (
              <span className="font-mono text-sm">
                <InertValue text={request.tool} />
              </span>
            )}
          </h3>
          {live && <span className="shrink-0">{time}</span>}
        </div>
        <p className="text-xs text-muted">
          <InertValue text={`${request.backend}, attempt ${request.attempt} · ${startedBy(request)}`} />
          {live && others.size > 0 && (
            <>
              {" · "}
              <InertValue text={`${[...others].join(", ")} has it open`} />
            </>
          )}
        </p>
      </header>
      {children}
    </article>
  );
}

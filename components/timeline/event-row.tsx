import { memo } from "react";
import type { TimelineEvent } from "#components/data/merge-events.ts";
import { InertValue } from "#components/inert-value.tsx";
import { dayAndTime, timeOfDay } from "#components/times.ts";
import { classes } from "#components/ui/classes.ts";
import { EventIcon } from "./event-icon.tsx";
import { type EventWords, wordsOf } from "./event-words.ts";
import { LongText } from "./long-text.tsx";

/** Words of a person that are this short stay in the line. */
const inlineCharacters = 100;

const looks = {
  plain: "text-text",
  quiet: "text-muted",
  done: "text-done",
  failed: "text-failed",
  waits: "text-waits font-medium",
} as const;

/** One event, in one row that has a link of its own. */
export const EventRow = memo(function EventRow({ event }: { event: TimelineEvent }) {
  const words = wordsOf(event);
  return (
    <li
      id={`e${event.position}`}
      className="grid min-h-[22px] scroll-mt-10 grid-cols-[4.25rem_1rem_minmax(0,1fr)_auto] gap-x-2 px-3 py-px target:bg-raised"
    >
      <a
        href={`#e${event.position}`}
        aria-label={`Event ${event.position} at ${timeOfDay(event.at)}`}
        title={`event ${event.position}, ${dayAndTime(event.at)}`}
        className="font-mono text-xs leading-[19px] text-dim hover:text-text hover:underline"
      >
        {timeOfDay(event.at)}
      </a>
      <EventIcon kind={event.kind} look={words.look} />
      <div className="min-w-0">
        <span className="text-muted">
          <InertValue text={event.deskName} />
        </span>{" "}
        <Words words={words} />
      </div>
      <span className="font-mono text-xs leading-[19px] text-dim">{words.duration}</span>
    </li>
  );
});

function Words({ words }: { words: EventWords }) {
  const { quoted } = words;
  return (
    <>
      {words.tool !== undefined && (
        <>
          <InertValue text={words.tool} className="font-mono text-xs font-semibold" />{" "}
        </>
      )}
      {words.words !== "" && <InertValue text={words.words} className={looks[words.look]} />}
      {quoted && quoted.text !== "" && <Quoted quoted={quoted} />}
    </>
  );
}

function Quoted({ quoted }: { quoted: NonNullable<EventWords["quoted"]> }) {
  const { whose, text, fromDesk = false, code = false } = quoted;
  if (code) {
    return (
      <>
        {" "}
        <LongText text={text} whose={whose} kind="code" className="font-mono text-xs text-muted" />
      </>
    );
  }
  const label = (
    <span className="text-xs text-muted">
      <InertValue text={whose} />:{" "}
    </span>
  );
  if (!fromDesk && text.length <= inlineCharacters && !text.includes("\n")) {
    return (
      <>
        {" "}
        {label}
        <InertValue text={`“${text}”`} />
      </>
    );
  }
  return (
    <div
      className={classes(
        "my-1 w-fit max-w-full border-s-2 px-2 py-1",
        fromDesk ? "border-words bg-words-ground" : "border-line-strong bg-surface",
      )}
    >
      {label}
      <LongText text={text} whose={whose} kind="words" className="" />
    </div>
  );
}

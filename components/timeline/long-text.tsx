"use client";

import { useState } from "react";
import { InertValue } from "#components/inert-value.tsx";
import { ScrollBox } from "#components/ui/scroll-box.tsx";

/** How much of a text shows in a row; the rest opens. */
const short = {
  words: { characters: 320, lines: 6 },
  code: { characters: 72, lines: 1 },
};

/** What would be cut off has to be at least this long. */
const worthCutting = 24;

/** The beginning of a text on whole characters, or null where all of it is short. */
export function beginningOf(text: string, kind: keyof typeof short): string | null {
  const { characters, lines: most } = short[kind];
  const lines = text.split("\n", most + 1);
  if (text.length <= characters + worthCutting && lines.length <= most) return null;
  return Array.from(lines.slice(0, most).join("\n").slice(0, characters)).slice(0, -1).join("");
}

interface LongTextProps {
  text: string;
  kind: keyof typeof short;
  className: string;
  /** Whose text it is. */
  whose: string;
}

/** A text of any length in a row: what is long is cut, says so, and opens in a box that scrolls. */
export function LongText({ text, kind, className, whose }: LongTextProps) {
  const [open, setOpen] = useState(false);
  const beginning = beginningOf(text, kind);
  if (beginning === null) return <InertValue text={text} className={className} />;
  return (
    <>
      {open ? (
        <ScrollBox label={whose} className="max-h-80 overflow-y-auto rounded-md border border-line p-2">
          <InertValue text={text} className={className} />
        </ScrollBox>
      ) : (
        <InertValue text={`${beginning}…`} className={className} />
      )}{" "}
      <button
        type="button"
        aria-expanded={open}
        className="cursor-pointer text-muted underline underline-offset-2"
        onClick={() => setOpen(!open)}
      >
        {open ? "less" : "more"}
        <span className="sr-only"> of the {whose}</span>
      </button>
    </>
  );
}

"use client";

import { useState } from "react";
import { InertValue } from "#components/inert-value.tsx";
import { ScrollBox } from "#components/ui/scroll-box.tsx";

/** So much of a text shows in a row; the rest opens. */
const shortCharacters = 320;
const shortLines = 6;

/** The beginning of a text on whole characters, or null where all of it is short. */
export function beginningOf(text: string): string | null {
  const lines = text.split("\n", shortLines + 1);
  if (text.length <= shortCharacters && lines.length <= shortLines) return null;
  return Array.from(lines.slice(0, shortLines).join("\n").slice(0, shortCharacters)).slice(0, -1).join("");
}

/** A text of any length in a row: what is long is cut, says so, and opens in a box that scrolls. */
export function LongText({ text, className, whose }: { text: string; className: string; whose: string }) {
  const [open, setOpen] = useState(false);
  const beginning = beginningOf(text);
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
        {open ? "less" : `all ${text.length.toLocaleString("en")} characters`}
      </button>
    </>
  );
}

"use client";

import { useDesks } from "#components/data/desks.ts";
import { FailureNote } from "#components/failure-note.tsx";
import { DeskRow } from "./desk-row.tsx";

/** The desks, with what each does and the buttons to pause, resume and stop it. */
export function DeskList() {
  const desks = useDesks();
  return (
    <section aria-labelledby="desks-heading" className="flex flex-col gap-2">
      <h2 id="desks-heading" className="text-xs font-medium text-muted">
        Desks
      </h2>
      {desks.data === undefined && !desks.error && <p className="text-muted">Reading the desks…</p>}
      {desks.data === undefined && <FailureNote error={desks.error} />}
      {desks.data?.length === 0 && <p className="text-muted">There is no desk yet.</p>}
      <ul className="flex flex-col gap-2">
        {desks.data?.map((desk) => (
          <DeskRow key={desk.name} desk={desk} />
        ))}
      </ul>
    </section>
  );
}

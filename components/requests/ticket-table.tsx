import type { Ticket } from "#lib/protocol/ticket.ts";
import { InertValue } from "#components/inert-value.tsx";
import { timeOfDay } from "#components/times.ts";
import { movedBy } from "./moved.ts";

/** Longer values take the whole row, one below the other. */
const longCharacters = 22;

interface TicketTableProps {
  held: Ticket;
  /** Null where it is not known: then only what was held is shown. */
  now: Ticket | null;
}

/** The order in one line, and what the tool knew when it was held beside what it knows now. */
export function TicketTable({ held, now }: TicketTableProps) {
  const labels = [...new Set([...held.rows, ...(now?.rows ?? [])].map((row) => row.label))];
  const valueOf = (ticket: Ticket | null, label: string) =>
    ticket?.rows.find((row) => row.label === label)?.value ?? "–";
  return (
    <div className="rounded-lg border border-line-strong">
      <p className="border-b border-line px-3 py-2 font-mono text-md font-semibold">
        <InertValue text={held.headline} />
      </p>
      {now && now.headline !== held.headline && (
        <p className="border-b border-line px-3 py-2 text-failed">
          It would now read: <InertValue text={now.headline} className="font-mono" />
        </p>
      )}
      <table className="w-full table-fixed font-mono text-xs">
        <caption className="sr-only">The ticket when it was held and now</caption>
        <thead className="text-muted">
          <tr className="*:px-2 *:pt-2 sm:*:px-3 *:font-sans *:font-normal">
            <th scope="col" className="w-[26%] text-start">
              <span className="sr-only">what</span>
            </th>
            <th scope="col" className="text-end">
              held <span className="font-mono max-sm:hidden">{timeOfDay(held.at)}</span>
            </th>
            <th scope="col" className="text-end">
              now <span className="font-mono max-sm:hidden">{now ? timeOfDay(now.at) : "unknown"}</span>
            </th>
            <th scope="col" className="w-[18%] text-end max-sm:hidden">
              moved
            </th>
          </tr>
        </thead>
        <tbody>
          {labels.map((label) => (
            <TicketRow key={label} label={label} held={valueOf(held, label)} now={now && valueOf(now, label)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TicketRowProps {
  label: string;
  held: string;
  now: string | null;
}

function TicketRow({ label, held, now }: TicketRowProps) {
  const long = Math.max(held.length, now?.length ?? 0) > longCharacters;
  return (
    <tr className="*:px-2 *:py-1 sm:*:px-3 *:align-top last:*:pb-2">
      <th scope="row" className="text-start font-sans font-normal text-muted">
        <InertValue text={label} />
      </th>
      {long ? (
        <>
          <td colSpan={2} className="text-end">
            <LongValue name="held" text={held} />
            <LongValue name="now" text={now ?? "–"} />
          </td>
          <td className="text-end text-muted max-sm:hidden">{now !== null && movedBy(held, now)}</td>
        </>
      ) : (
        <>
          <td className="text-end">
            <InertValue text={held} />
          </td>
          <td className="text-end">
            <InertValue text={now ?? "–"} />
          </td>
          <td className="text-end text-muted max-sm:hidden">{now !== null && movedBy(held, now)}</td>
        </>
      )}
    </tr>
  );
}

function LongValue({ name, text }: { name: string; text: string }) {
  return (
    <p>
      <span className="font-sans text-muted">{name} </span>
      <InertValue text={text} />
    </p>
  );
}

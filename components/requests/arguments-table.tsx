import { InertValue } from "#components/inert-value.tsx";
import { ScrollBox } from "#components/ui/scroll-box.tsx";

/** Longer values get a box of their own that scrolls. */
const longCharacters = 6_000;

interface Row {
  name: string;
  text: string;
  /** Said of what is not a plain piece of text. */
  type: string | null;
}

function rowOf([name, value]: [string, unknown]): Row {
  if (typeof value === "string") return { name, text: value, type: value === "" ? "empty text" : null };
  const type = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  return { name, text: JSON.stringify(value, null, 2), type: type === "number" ? null : type };
}

/** The rows of arguments that are given as JSON text; one row with the text itself where it is no object. */
export function argumentRows(json: string): Row[] {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value).map(rowOf);
  } catch {
    // Shown as it is.
  }
  return [{ name: "(all)", text: json, type: "not an object" }];
}

/** Every argument that will run, whole: nothing is cut, and what cannot be seen is marked. */
export function ArgumentsTable({ json, caption }: { json: string; caption: string }) {
  const rows = argumentRows(json);
  if (rows.length === 0) return <p className="text-muted">{caption}: none.</p>;
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 overflow-clip rounded-lg border border-line font-mono text-xs">
      <caption className="pb-1 text-start font-sans text-muted">{caption}</caption>
      <colgroup>
        <col className="w-[30%]" />
        <col />
      </colgroup>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} className="*:border-b *:border-line last:*:border-b-0">
            <th scope="row" className="bg-raised px-2 py-1.5 text-start align-top font-normal text-muted">
              <InertValue text={row.name} />
            </th>
            <td className="px-2 py-1.5 align-top">
              <Value row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ row }: { row: Row }) {
  const type = row.type !== null && <span className="font-sans text-dim"> {row.type}</span>;
  if (row.text.length <= longCharacters) {
    return (
      <>
        <InertValue text={row.text} />
        {type}
      </>
    );
  }
  return (
    <>
      <p className="font-sans text-dim">{row.text.length.toLocaleString("en")} characters; all of them, in this box:</p>
      <ScrollBox label={`All of ${row.name}`} className="max-h-96 overflow-y-auto">
        <InertValue text={row.text} />
      </ScrollBox>
      {type}
    </>
  );
}

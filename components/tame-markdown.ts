/** What is beyond these takes a parser seconds, or a browser its memory; people do not write it. */
const most = {
  /** Cells of tables: each row is filled up to the widest. */
  cells: 12_000,
  /** Characters that may open or close something: links, emphasis, code, entities. */
  marks: 3_000,
  /** Lists and quotations inside one another. */
  depth: 12,
  /** Blanks before a line, which nest lists too. */
  indent: 40,
};

const marks = /[[\]`*_~<>&\\!@]/g;
const opening = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])(?=[ \t>]|$))*/;
const markers = />|[-+*]|\d+[.)]/g;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** Whether Markdown that somebody else wrote can be laid out without a page that stands still. */
export function isTameMarkdown(text: string): boolean {
  if (count(text, marks) > most.marks) return false;
  let rows = 0;
  let columns = 0;
  for (const line of text.split("\n")) {
    const begins = opening.exec(line)?.[0] ?? "";
    if (count(begins, markers) > most.depth || line.length - line.trimStart().length > most.indent) return false;
    const pipes = count(line, /\|/g);
    if (pipes > 0) rows += 1;
    columns = Math.max(columns, pipes);
    // A row may stand without any pipe; a table of one long row stands for none.
    if ((rows + 1) * columns > most.cells) return false;
  }
  return true;
}

/** A piece of text as it is shown: plain, a character that hides or reorders, or a word that is not what it seems. */
export type TextPiece =
  | { kind: "plain"; text: string }
  | { kind: "hidden"; text: string; title: string }
  | { kind: "odd"; text: string; mark: string };

/** So many marked pieces get an element of their own; the rest are written into the text. */
const mostMarks = 500;
/** More marks than this on one letter climb over the neighbouring lines. */
const mostCombining = 3;

// Format and control characters, unusual blanks, fillers that look like nothing, variation selectors, tags, private
// use, halves of characters. Line feeds and tabs are what they seem.
const hidden =
  "(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\u00a0\\u034f\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u2000-\\u200a\\u202f\\u205f\\u2800\\u3000\\u3164\\uffa0\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]";
// An emoji may be joined from several, and ask for colour.
const emoji =
  "\\p{Emoji_Presentation}\\ufe0f?(?:\\u200d\\p{Extended_Pictographic}\\ufe0f?)+|\\p{Extended_Pictographic}\\ufe0f(?:\\u200d\\p{Extended_Pictographic}\\ufe0f?)*";
const word = `(?:[\\p{L}\\p{N}_]\\p{M}{0,${mostCombining}}(?!\\p{M}))+`;

const worthALook = new RegExp(`${hidden}|\\P{ASCII}`, "u");
const token = new RegExp(
  `${emoji}|(?<hidden>(?<one>${hidden})\\k<one>*)|(?<combining>\\p{M}{${mostCombining + 1},})|(?<word>${word})`,
  "gu",
);

const scripts = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Cherokee",
  "Coptic",
  "Georgian",
  "Hebrew",
  "Arabic",
  "Lisu",
  "Deseret",
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const);
// Letters of other scripts that are drawn as Latin ones are.
const drawnAsLatin = /^[АВЕЅІЈКМНОРСТУХԌԚԜаеорсухіјѕԁԛԝһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοντυρχιՕՏԼՍօսհոցյᎪᎢᎡᎷᎳ0-9_]+$/u;

function oddity(text: string): string | null {
  if (/^\p{ASCII}*$/u.test(text)) return null;
  const found = scripts.filter(([, script]) => script.test(text)).map(([name]) => name);
  if (found.length > 1) return found.join(" + ");
  if (found.length === 1 && found[0] !== "Latin" && drawnAsLatin.test(text)) return found[0] ?? null;
  const plain = text.normalize("NFKC");
  if (plain !== text.normalize("NFC") && /^[\x20-\x7e]+$/.test(plain)) return `styled ${plain}`;
  if (/[0-9]/.test(text) && /(?![0-9])\p{Nd}/u.test(text)) return "mixed digits";
  return null;
}

/** How a character is named where it cannot be seen: `U+200B`. */
function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function hiddenPiece(run: string, one: string): TextPiece {
  const count = run.length / one.length;
  const text = count === 1 ? codeOf(one) : `${codeOf(one)} ×${count}`;
  return { kind: "hidden", text, title: `${count === 1 ? "a character" : `${count} characters`} that cannot be seen` };
}

function pieceOf(match: RegExpExecArray): TextPiece {
  const { hidden: run, one, combining: marks, word: letters } = match.groups ?? {};
  if (run !== undefined && one !== undefined) return hiddenPiece(run, one);
  if (marks !== undefined) {
    const count = Array.from(marks).length;
    return { kind: "hidden", text: `${codeOf(marks)} and ${count - 1} more marks`, title: "marks piled on one letter" };
  }
  const mark = letters === undefined ? null : oddity(letters);
  return mark === null ? { kind: "plain", text: match[0] } : { kind: "odd", text: match[0], mark };
}

function written(piece: TextPiece): string {
  if (piece.kind === "plain") return piece.text;
  return piece.kind === "hidden" ? `⟨${piece.text}⟩` : `${piece.text}⟨${piece.mark}⟩`;
}

/**
 * Cuts text into what is plain and what has to be made visible: characters that hide or reorder text, and words that mix
 * scripts or pass for Latin ones. Nothing is left out, and the number of pieces is bounded.
 */
export function inertPieces(text: string): TextPiece[] {
  if (!worthALook.test(text)) return [{ kind: "plain", text }];
  const pieces: TextPiece[] = [];
  let plain = "";
  let marks = 0;
  let end = 0;
  const flush = () => {
    if (plain !== "") pieces.push({ kind: "plain", text: plain });
    plain = "";
  };
  for (const match of text.matchAll(token)) {
    plain += text.slice(end, match.index);
    end = match.index + match[0].length;
    const piece = pieceOf(match);
    if (piece.kind === "plain" || marks >= mostMarks) {
      plain += written(piece);
      continue;
    }
    flush();
    pieces.push(piece);
    marks += 1;
  }
  plain += text.slice(end);
  flush();
  return pieces;
}

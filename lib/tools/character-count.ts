const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The longest character that people use (a family or a couple with skin tones) has ten code points. */
const codePointsOfOne = 10;

/**
 * How many characters a person sees: an emoji, a flag or a letter with its accents is one. A cluster of more than ten
 * code points counts more than once, so that stacked marks cannot hide length.
 */
export function characterCount(text: string): number {
  let count = 0;
  for (const { segment } of graphemes.segment(text)) count += Math.ceil(codePoints(segment) / codePointsOfOne);
  return count;
}

function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    // The second half of a pair belongs to the code point before it.
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1;
    count += 1;
  }
  return count;
}

const numberWithUnit = /^([+-]?[\d,]+(?:\.\d+)?)(\s?[A-Z%]*)$/;

/**
 * How far a value of a ticket went, in words: a percentage where both are numbers of one unit. Only for showing.
 * @returns null where it did not move.
 */
export function movedBy(held: string, now: string): string | null {
  if (held === now) return null;
  const from = numberWithUnit.exec(held);
  const to = numberWithUnit.exec(now);
  if (!from || !to || from[2] !== to[2]) return "changed";
  const before = Number(from[1]?.replaceAll(",", ""));
  const after = Number(to[1]?.replaceAll(",", ""));
  if (before === 0) return "changed";
  const percent = ((after - before) / Math.abs(before)) * 100;
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(2)} %`;
}

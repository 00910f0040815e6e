/** What a person's message asks of the playbook. */
export type Wish = "pause" | "goOn" | "status" | "unknown";

const pause =
  /\b(?:hold off|pause|stop trading|stand aside|no new orders|do not trade|don[’']t trade|wait (?:until|till|with|for))\b/i;
const goOn = /\b(?:go on|resume|continue|carry on|trade again)\b/i;
const status = /\b(?:status|positions?|holding|hold|waiting|plans?|profit|what|how|why)\b|[?？؟]/i;

/** Reads a few plain words. A wish to pause wins over all others. */
export function wishIn(text: string): Wish {
  if (pause.test(text)) return "pause";
  if (goOn.test(text)) return "goOn";
  return status.test(text) ? "status" : "unknown";
}

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** A time that words name, in days of the market from now. */
export interface NamedTime {
  days: number;
  /** As people read it: `Friday`. */
  name: string;
}

/**
 * The first time that words name (`until Friday`, `not before Monday`, `tomorrow`, `for 3 days`), by the market's own
 * calendar. Null where they name none.
 * @param marketTime the market's now, such as `2026-08-30T14:02:11Z`.
 */
export function timeIn(words: string, marketTime: string): NamedTime | null {
  const days = /\b(\d{1,3}) days?\b/i.exec(words)?.[1];
  if (days !== undefined && Number(days) > 0)
    return { days: Number(days), name: `${Number(days)} market days from now` };
  if (/\btomorrow\b/i.test(words)) return { days: 1, name: "tomorrow" };
  const named = new RegExp(`\\b(${weekdays.join("|")})\\b`, "i").exec(words)?.[1]?.toLowerCase();
  const target = weekdays.findIndex((weekday) => weekday === named);
  if (named === undefined || target === -1) return null;
  const ahead = (target - new Date(marketTime).getUTCDay() + 7) % 7;
  return { days: ahead === 0 ? 7 : ahead, name: `${named.slice(0, 1).toUpperCase()}${named.slice(1)}` };
}

import { z } from "zod";

/** Digits before and after the point that a quantity or a price may have. */
export const decimalDigits = { whole: 30, fraction: 18 } as const;

/** Longer texts are refused unread; leading and trailing zeros count. */
const longestText = 120;
const plainDecimal = /^([+-]?)(\d+)(?:\.(\d+))?$/;
const exponentNumber = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/;

/**
 * One canonical form of a plain decimal: no exponent, no group separators, no leading or trailing zeros, never `-0`.
 * @returns null where the text is not a plain decimal, or has more digits than `decimalDigits`.
 */
export function canonicalDecimal(text: string): string | null {
  if (text.length > longestText) return null;
  const match = plainDecimal.exec(text);
  if (!match) return null;
  const whole = (match[2] ?? "").replace(/^0+(?=\d)/, "");
  const fraction = (match[3] ?? "").replace(/0+$/, "");
  if (whole.length > decimalDigits.whole || fraction.length > decimalDigits.fraction) return null;
  const digits = fraction === "" ? whole : `${whole}.${fraction}`;
  return match[1] === "-" && digits !== "0" ? `-${digits}` : digits;
}

/** A plain decimal for people: commas between its thousands. */
export function groupedDecimal(text: string): string {
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** All digits of a JSON number, never rounded: `1e-7` is `0.0000001`. */
function numberText(value: number): string {
  const text = String(value);
  const match = exponentNumber.exec(text);
  if (!match) return text;
  return `${match[1]}0.${"0".repeat(Number(match[4]) - 1)}${match[2]}${match[3] ?? ""}`;
}

/**
 * A quantity or a price in arguments: a safe JSON number or a plain decimal string, normalised to one canonical decimal
 * string. `"1e3"`, `"1,000"`, `"0x10"`, `""` and `" "` are refused, and so is a number beyond ±(2^53 − 1).
 */
export function decimalSchema(sign: "positive" | "any" = "positive") {
  return z
    .union([z.string(), z.number()], { error: 'must be a number or a plain decimal string such as "1.25"' })
    .transform((value, context) => {
      const fail = (message: string) => {
        context.addIssue({ code: "custom", message });
        return z.NEVER;
      };
      if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
        return fail(`must be given as a string beyond ±${Number.MAX_SAFE_INTEGER}: a JSON number loses digits there`);
      }
      const canonical = canonicalDecimal(typeof value === "number" ? numberText(value) : value);
      if (canonical === null) {
        return fail(
          `must be a plain decimal such as "1.25", of at most ${decimalDigits.whole} digits before and ${decimalDigits.fraction} after the point, without exponent, separators or blanks`,
        );
      }
      if (sign === "positive" && (canonical === "0" || canonical.startsWith("-"))) {
        return fail("must be greater than 0");
      }
      return canonical;
    });
}

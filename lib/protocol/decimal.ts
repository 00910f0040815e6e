import { z } from "zod";

/** Digits before and after the point that a quantity or a price may have. */
export const decimalDigits = { whole: 18, fraction: 12 } as const;

const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const looseDecimal = /^([+-]?)0*(\d+)(?:\.(\d+))?$/;

/**
 * One canonical form of a plain decimal: no exponent, no group separators, no leading or trailing zeros, never `-0`.
 * @returns null where the text is not a plain decimal, or has more digits than `decimalDigits`.
 */
export function canonicalDecimal(text: string): string | null {
  const match = looseDecimal.exec(text);
  if (!match) return null;
  const whole = match[2] ?? "0";
  const fraction = (match[3] ?? "").replace(/0+$/, "");
  if (whole.length > decimalDigits.whole || fraction.length > decimalDigits.fraction) return null;
  const digits = fraction === "" ? whole : `${whole}.${fraction}`;
  return match[1] === "-" && digits !== "0" ? `-${digits}` : digits;
}

function numberText(value: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
  const text = String(value);
  return plainDecimal.test(text) ? text : value.toFixed(decimalDigits.fraction);
}

/**
 * A quantity or a price in arguments: a safe JSON number or a plain decimal string, normalised to one canonical decimal
 * string. `"1e3"`, `"1,000"`, `"0x10"`, `""` and `" "` are refused.
 */
export function decimalSchema(sign: "positive" | "any" = "positive") {
  return z
    .union([z.string(), z.number()], { error: "a number or a plain decimal string such as \"1.25\"" })
    .transform((value, context) => {
      const text = typeof value === "number" ? numberText(value) : value;
      const canonical = text === null ? null : canonicalDecimal(text);
      if (canonical === null) {
        context.addIssue({
          code: "custom",
          message: `must be a plain decimal such as "1.25", of at most ${decimalDigits.whole} digits before and ${decimalDigits.fraction} after the point, without exponent, separators or blanks`,
        });
        return z.NEVER;
      }
      if (sign === "positive" && (canonical === "0" || canonical.startsWith("-"))) {
        context.addIssue({ code: "custom", message: "must be greater than 0" });
        return z.NEVER;
      }
      return canonical;
    });
}

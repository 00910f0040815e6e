import { Decimal } from "decimal.js";
import { groupedDecimal } from "#lib/protocol/decimal.ts";

/**
 * Decimals of the account: 150 digits hold every product of two quantities or prices whole, so that nothing is rounded
 * but the quotients, and those to `quotientPlaces`.
 */
export const Money = Decimal.clone({ precision: 150, rounding: Decimal.ROUND_HALF_EVEN });
export type Money = Decimal;

/** Decimal places of a quotient: an average price, or an amount in another currency. */
export const quotientPlaces = 36;

export function quotient(dividend: Money, divisor: Money): Money {
  return dividend.div(divisor).toDecimalPlaces(quotientPlaces);
}

/** Canonical decimal text: no exponent, no separators. */
export function plainText(value: Money): string {
  return value.isZero() ? "0" : value.toFixed();
}

/** For people: thousands are separated by commas. Rounded half up where `places` says how many decimals to show. */
export function groupedText(value: Money, places?: number): string {
  return groupedDecimal(fixedText(value, places));
}

/** Rounded half up to so many decimals; never `-0.00`. */
export function fixedText(value: Money, places?: number): string {
  if (places === undefined) return plainText(value);
  const rounded = value.toDecimalPlaces(places, Decimal.ROUND_HALF_UP);
  return (rounded.isZero() ? new Money(0) : rounded).toFixed(places);
}

/** `+1,234.50 USD`; nothing has no sign. */
export function profitText(usd: Money): string {
  const text = groupedText(usd, 2);
  return `${text.startsWith("-") || /^[0.]+$/.test(text) ? "" : "+"}${text} USD`;
}

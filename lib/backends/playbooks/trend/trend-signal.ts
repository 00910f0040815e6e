import { Decimal } from "decimal.js";

export type Side = "buy" | "sell";
export type Direction = "long" | "short";

/** Where a price stands to its average. */
export interface Trend {
  /** Null where the price is too near to its average to say. */
  direction: Direction | null;
  average: Decimal;
  /** Distance from the average, in per cent of it; below 0 where the price is below. */
  distancePercent: Decimal;
  /** How far a day's close lies from the day before, on average. */
  dailyMove: Decimal;
}

/** Days of the average that the trend is measured by. */
export const averageDays = 15;
/** Nearer to the average than this, in per cent, there is no trend. */
const bandPercent = 0.1;

/** @param closes the last closes, oldest first; at least two. */
export function trendOf(closes: readonly string[], price: string): Trend {
  const values = closes.slice(-averageDays).map((close) => new Decimal(close));
  const average = mean(values);
  const distancePercent = new Decimal(price).div(average).minus(1).times(100);
  const moves = values.slice(1).map((value, index) => value.minus(values[index] ?? value).abs());
  const isNear = distancePercent.abs().lt(bandPercent);
  const direction = distancePercent.isNegative() ? "short" : "long";
  return { direction: isNear ? null : direction, average, distancePercent, dailyMove: mean(moves) };
}

function mean(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => sum.plus(value), new Decimal(0)).div(Math.max(values.length, 1));
}

export function directionOf(quantity: string): Direction {
  return quantity.startsWith("-") ? "short" : "long";
}

/** The side that opens such a position. */
export function openingSide(direction: Direction): Side {
  return direction === "long" ? "buy" : "sell";
}

/** The side that closes such a position. */
export function closingSide(direction: Direction): Side {
  return direction === "long" ? "sell" : "buy";
}

/** The position that an order opens, or the one that it closes. */
export function directionOfOrder(side: Side, reduceOnly: boolean): Direction {
  return (side === "buy") === reduceOnly ? "short" : "long";
}

/** Whether the price has gone through the stop. */
export function isThrough(stop: string, price: string, direction: Direction): boolean {
  return direction === "long" ? new Decimal(price).lte(stop) : new Decimal(price).gte(stop);
}

/** How many decimals a price is written with. */
export function decimalsOf(price: string): number {
  return price.split(".")[1]?.length ?? 0;
}

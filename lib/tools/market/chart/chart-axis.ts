import { groupedDecimal } from "#lib/protocol/decimal.ts";

/** The bounds of an axis and the step between two of its lines. */
export interface AxisBounds {
  min: number;
  max: number;
  interval: number;
}

/** Bounds around the values with some air, on steps of 1, 2 or 5 times a power of ten. */
export function axisBounds(values: readonly number[]): AxisBounds {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const range = most - least || Math.abs(most) * 0.01;
  const rough = range / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const interval = power * ([1, 2, 5, 10].find((step) => step * power >= rough) ?? 10);
  const below = Math.floor((least - range * 0.06) / interval);
  const above = Math.ceil((most + range * 0.06) / interval);
  return { min: below * interval, max: above * interval, interval };
}

/** A value of the axis with as many decimals as tell its lines apart. */
export function axisText(value: number, interval: number, mostDecimals: number): string {
  const needed = Math.max(0, -Math.floor(Math.log10(interval) + 1e-9));
  return groupedDecimal(value.toFixed(Math.min(mostDecimals, needed)));
}

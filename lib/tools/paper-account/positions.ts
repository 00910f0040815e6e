import { Money, quotient } from "./money.ts";

/** One fill, as the ledger keeps it. */
export interface Fill {
  symbol: string;
  side: "buy" | "sell";
  quantity: string;
  price: string;
}

/** What a desk holds of one symbol. */
export interface Position {
  symbol: string;
  /** In units of the pair's first currency; below 0 where it is short. */
  quantity: Money;
  /** What it cost, in the pair's second currency; below 0 where it is short. */
  cost: Money;
}

/** What all fills came to. */
export interface Book {
  /** Only open ones, in the order in which they were opened. */
  positions: ReadonlyMap<string, Position>;
  realisedUsd: Money;
}

/** A fill's quantity with its sign: a sale is below 0. */
export function signedQuantity(order: Pick<Fill, "side" | "quantity">): Money {
  const quantity = new Money(order.quantity);
  return order.side === "buy" ? quantity : quantity.neg();
}

/** Adds up the fills, oldest first. */
export function bookOf(fills: readonly Fill[]): Book {
  const positions = new Map<string, Position>();
  let realisedUsd = new Money(0);
  for (const fill of fills) {
    const result = applyFill(positions.get(fill.symbol), fill);
    if (result.position.quantity.isZero()) positions.delete(fill.symbol);
    else positions.set(fill.symbol, result.position);
    realisedUsd = realisedUsd.plus(result.realisedUsd);
  }
  return { positions, realisedUsd };
}

/**
 * What a fill makes of a position. A fill against it closes at the average price; what goes beyond opens the other way.
 * Profit in another currency than USD becomes USD at the price of the fill that closed.
 */
export function applyFill(before: Position | undefined, fill: Fill): { position: Position; realisedUsd: Money } {
  const price = new Money(fill.price);
  const change = signedQuantity(fill);
  const quantity = before?.quantity ?? new Money(0);
  const cost = before?.cost ?? new Money(0);
  const after = { symbol: fill.symbol, quantity: quantity.plus(change) };
  if (quantity.isZero() || quantity.isNegative() === change.isNegative()) {
    return { position: { ...after, cost: cost.plus(change.times(price)) }, realisedUsd: new Money(0) };
  }
  const closesAll = change.abs().gte(quantity.abs());
  const closed = closesAll ? quantity.neg() : change;
  const costOfClosed = closesAll ? cost : quotient(cost.times(closed.abs()), quantity.abs());
  const realised = closed.times(price).neg().minus(costOfClosed);
  const opened = change.minus(closed);
  return {
    position: { ...after, cost: cost.minus(costOfClosed).plus(opened.times(price)) },
    realisedUsd: inUsd(fill.symbol, realised, price),
  };
}

/** The average price at which the position was opened. */
export function averagePrice(position: Position): Money {
  return quotient(position.cost, position.quantity);
}

/** What closing the position at this price would bring, in USD. */
export function openProfitUsd(position: Position, price: Money): Money {
  return inUsd(position.symbol, position.quantity.times(price).minus(position.cost), price);
}

/** How much a quantity is worth at this price, in USD. */
export function notionalUsd(symbol: string, quantity: Money, price: Money): Money {
  return symbol.startsWith("USD") ? quantity.abs() : inUsd(symbol, quantity.abs().times(price), price);
}

/**
 * An amount of a pair's second currency in USD. Where that is USD, as it is; where the first is (`USDJPY`), divided by
 * the pair's own price.
 * @throws RangeError where neither is USD.
 */
export function inUsd(symbol: string, amount: Money, price: Money): Money {
  if (symbol.endsWith("USD")) return amount;
  if (symbol.startsWith("USD")) return quotient(amount, price);
  throw new RangeError(`${symbol} is not a pair with USD`);
}

import { isoNow, type Clock } from "#lib/core/ports/clock.ts";
import type { Ids } from "#lib/core/ports/ids.ts";
import type { PaperLedger } from "#lib/core/ports/paper-ledger.ts";
import type { PaperOrderRow } from "#lib/core/record.ts";
import { canonicalDecimal } from "#lib/protocol/decimal.ts";
import type { Market, Quote } from "#lib/tools/market/market.ts";
import { Money } from "./money.ts";
import { OneAtATime } from "#lib/tools/one-at-a-time.ts";
import { applyFill, bookOf, signedQuantity, type Book, type Position } from "./positions.ts";

/** An order as it is asked for; quantity and limit are canonical decimal text. */
export interface Order {
  symbol: string;
  side: "buy" | "sell";
  quantity: string;
  /** Not filled at a worse price than this. */
  limit?: string | undefined;
  /** Filled only where it makes the position smaller and does not turn it round. */
  reduceOnly: boolean;
}

/** What an order would do now. */
export interface Preview {
  quote: Quote;
  /** The side of the quote that it would be filled at. */
  price: Money;
  before: Money;
  after: Money;
  realisedUsd: Money;
  /** Whether it makes the position smaller without turning it round. */
  reduces: boolean;
  /** Why it would not be filled now; null where it would be. */
  refusal: string | null;
}

/** What became of an order: the ledger's row with the book behind it, or why nothing was done. */
export type Placed =
  | { filled: true; order: PaperOrderRow; position: Position | null; realisedUsd: Money }
  | { filled: false; reason: string };

export interface PaperAccountOptions {
  ledger: PaperLedger;
  market: Pick<Market, "quote" | "decimals" | "symbols">;
  clock: Clock;
  ids: Pick<Ids, "next">;
  /** What each desk starts with, in USD; 1,000,000 where absent. */
  depositUsd?: string;
}

/**
 * A plain paper account for each desk, on margin: orders are filled at once at the replayed bid or ask, cash changes only
 * by profit that was realised, and a position is worth its open profit. No interest, no margin calls. All of it follows
 * from the ledger.
 */
export class PaperAccount {
  readonly market: PaperAccountOptions["market"];
  readonly depositUsd: Money;
  readonly #ledger: PaperLedger;
  readonly #clock: Clock;
  readonly #ids: Pick<Ids, "next">;
  readonly #orders = new OneAtATime();

  constructor(options: PaperAccountOptions) {
    this.market = options.market;
    this.depositUsd = new Money(options.depositUsd ?? "1000000");
    this.#ledger = options.ledger;
    this.#clock = options.clock;
    this.#ids = options.ids;
  }

  /** What the desk holds, and what it has realised. */
  async book(deskName: string): Promise<Book> {
    return bookOf(await this.#ledger.ordersOf(deskName));
  }

  /** What the order would do now. */
  async preview(deskName: string, order: Order): Promise<Preview> {
    const quote = this.market.quote(order.symbol);
    const price = order.side === "buy" ? quote.ask : quote.bid;
    const position = (await this.book(deskName)).positions.get(order.symbol);
    const { position: after, realisedUsd } = applyFill(position, { ...order, price });
    const before = position?.quantity ?? new Money(0);
    const change = signedQuantity(order);
    const reduces = change.abs().lte(before.abs()) && change.isNegative() !== before.isNegative();
    const refusal = refusalOf(order, price, before, reduces);
    return { quote, price: new Money(price), before, after: after.quantity, realisedUsd, reduces, refusal };
  }

  /**
   * Fills the order, once for a key for ever; the same key again gives the fill that it has. A desk's orders are judged
   * and filled one at a time, so that two orders that each reduce a position cannot turn it round together.
   */
  place(deskName: string, key: string, order: Order, signal: AbortSignal): Promise<Placed> {
    return this.#orders.run(deskName, async () => {
      const earlier = await this.#ledger.find(key);
      if (earlier) return this.#placed(deskName, earlier, order);
      const { price, refusal } = await this.preview(deskName, order);
      if (refusal !== null) return { filled: false, reason: refusal };
      if (signal.aborted) return { filled: false, reason: "the call was stopped before the order was sent" };
      const { symbol, side, quantity } = order;
      const id = this.#ids.next();
      const row = { id, deskName, key, symbol, side, quantity, price: canonical(price), at: isoNow(this.#clock) };
      const appended = await this.#ledger.append(row);
      return this.#placed(deskName, appended.order, order);
    });
  }

  /** The order that the ledger has under the key. */
  find(key: string): Promise<PaperOrderRow | null> {
    return this.#ledger.find(key);
  }

  async #placed(deskName: string, row: PaperOrderRow, order: Order): Promise<Placed> {
    const same =
      row.deskName === deskName &&
      row.symbol === order.symbol &&
      row.side === order.side &&
      row.quantity === order.quantity;
    if (!same) return { filled: false, reason: `the key ${row.key} belongs to another order, ${row.id}` };
    const orders = await this.#ledger.ordersOf(deskName);
    const index = orders.findIndex((other) => other.key === row.key);
    const before = bookOf(orders.slice(0, index)).positions.get(row.symbol);
    const { position, realisedUsd } = applyFill(before, row);
    return { filled: true, order: row, position: position.quantity.isZero() ? null : position, realisedUsd };
  }
}

function refusalOf(order: Order, price: string, before: Money, reduces: boolean): string | null {
  if (order.limit !== undefined) {
    const worse = order.side === "buy" ? new Money(price).gt(order.limit) : new Money(price).lt(order.limit);
    if (worse)
      return order.side === "buy" ? `the ask ${price} is above the limit` : `the bid ${price} is below the limit`;
  }
  if (order.reduceOnly && !reduces) {
    return before.isZero() ? "there is no position to reduce" : "it would not only reduce the position";
  }
  return null;
}

function canonical(price: Money): string {
  const text = canonicalDecimal(price.toFixed());
  if (text === null) throw new RangeError(`price ${price.toFixed()} has too many digits`);
  return text;
}

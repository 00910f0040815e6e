import { isoNow, type Clock } from "#lib/core/ports/clock.ts";
import type { Ticket } from "#lib/protocol/ticket.ts";
import { marketLabel } from "#lib/tools/market/market.ts";
import { fixedText, groupedText, Money, profitText } from "./money.ts";
import type { Order, Placed, PaperAccount, Preview } from "./paper-account.ts";
import { averagePrice, notionalUsd } from "./positions.ts";

/** An order in one line: `SELL 200,000 EURUSD LIMIT 1.16040`. */
export function orderHeadline(order: Order, decimals: number): string {
  const kind = order.limit === undefined ? "MARKET" : `LIMIT ${priceText(new Money(order.limit), decimals)}`;
  const parts = [order.side.toUpperCase(), groupedText(new Money(order.quantity)), order.symbol, kind];
  if (order.reduceOnly) parts.push("REDUCE ONLY");
  return parts.join(" ");
}

/** What people see above the arguments of an order. */
export function orderTicket(order: Order, preview: Preview, decimals: number, clock: Clock): Ticket {
  const { quote, price, before, after, realisedUsd, refusal } = preview;
  const notional = notionalUsd(order.symbol, new Money(order.quantity), price);
  const rows = [
    { label: "last", value: quote.mid },
    { label: "bid / ask", value: `${quote.bid} / ${quote.ask}` },
    {
      label: "if it ran now",
      value: refusal === null ? `filled at ${priceText(price, decimals)}` : `not filled: ${refusal}`,
    },
    { label: "position", value: `${groupedText(before)} → ${groupedText(after)}` },
    { label: "notional", value: `${groupedText(notional, 2)} USD` },
    { label: "realised if filled", value: profitText(realisedUsd) },
    { label: "market time", value: `${quote.marketTime.replace("T", " ").slice(0, 16)}, ${marketLabel}` },
  ];
  return { headline: orderHeadline(order, decimals), side: order.side, rows, at: isoNow(clock) };
}

/** What a fill came to, in a sentence. The same for the same order, whenever it is asked. */
export function fillText(placed: Extract<Placed, { filled: true }>, account: PaperAccount): string {
  const { order, position, realisedUsd } = placed;
  const decimals = account.market.decimals(order.symbol);
  const price = new Money(order.price);
  const quantity = new Money(order.quantity);
  const notional = groupedText(notionalUsd(order.symbol, quantity, price), 2);
  const holds = position
    ? `Position after it: ${groupedText(position.quantity)} ${order.symbol}, average ${fixedText(averagePrice(position), decimals + 2)}.`
    : `Position after it: none in ${order.symbol}.`;
  const realised = realisedUsd.isZero() ? "" : ` Realised ${profitText(realisedUsd)}.`;
  return `Filled: ${order.side.toUpperCase()} ${groupedText(quantity)} ${order.symbol} at ${priceText(price, decimals)} (${notional} USD).${realised} ${holds} Paper order ${order.id}.`;
}

/** All decimals of a price, and at least the pair's. */
function priceText(price: Money, decimals: number): string {
  return fixedText(price, Math.max(decimals, price.decimalPlaces()));
}

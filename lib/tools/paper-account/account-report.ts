import { fixedText, Money, plainText } from "./money.ts";
import type { PaperAccount } from "./paper-account.ts";
import { averagePrice, openProfitUsd, type Position } from "./positions.ts";

/** An account as of now; amounts in USD with cents, quantities and prices as decimal text. */
export interface AccountReport {
  depositUsd: string;
  /** Deposit and realised profit. */
  cashUsd: string;
  realisedProfitUsd: string;
  openProfitUsd: string;
  /** Cash and open profit. */
  equityUsd: string;
  positions: { symbol: string; quantity: string; averagePrice: string; price: string; openProfitUsd: string }[];
}

/** The exact sums of an account. */
export interface Valuation {
  cashUsd: Money;
  realisedUsd: Money;
  openUsd: Money;
  equityUsd: Money;
  positions: { position: Position; price: string; openUsd: Money }[];
}

/** Values what a desk holds: each position at the price that would close it, the bid of a long and the ask of a short. */
export async function valuation(account: PaperAccount, deskName: string): Promise<Valuation> {
  const { positions, realisedUsd } = await account.book(deskName);
  const valued = [...positions.values()].map((position) => {
    const quote = account.market.quote(position.symbol);
    const price = position.quantity.isNegative() ? quote.ask : quote.bid;
    return { position, price, openUsd: openProfitUsd(position, new Money(price)) };
  });
  const openUsd = valued.reduce((sum, { openUsd: open }) => sum.plus(open), new Money(0));
  const cashUsd = account.depositUsd.plus(realisedUsd);
  return { cashUsd, realisedUsd, openUsd, equityUsd: cashUsd.plus(openUsd), positions: valued };
}

/** What `get_account` answers. */
export async function accountReport(account: PaperAccount, deskName: string): Promise<AccountReport> {
  const { cashUsd, realisedUsd, openUsd, equityUsd, positions } = await valuation(account, deskName);
  return {
    depositUsd: fixedText(account.depositUsd, 2),
    cashUsd: fixedText(cashUsd, 2),
    realisedProfitUsd: fixedText(realisedUsd, 2),
    openProfitUsd: fixedText(openUsd, 2),
    equityUsd: fixedText(equityUsd, 2),
    positions: positions.map(({ position, price, openUsd: open }) => ({
      symbol: position.symbol,
      quantity: plainText(position.quantity),
      averagePrice: fixedText(averagePrice(position), account.market.decimals(position.symbol) + 2),
      price,
      openProfitUsd: fixedText(open, 2),
    })),
  };
}

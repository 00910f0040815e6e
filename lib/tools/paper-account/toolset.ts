import { z } from "zod";
import type { Clock } from "#lib/core/ports/clock.ts";
import { defineTool, done, notDone, type Tool, type Toolset } from "#lib/core/tool.ts";
import { decimalSchema } from "#lib/protocol/decimal.ts";
import { limits } from "#lib/protocol/limits.ts";
import { limitedText } from "#lib/tools/limited-text.ts";
import { symbolSchema } from "#lib/tools/market/symbol-schema.ts";
import { accountReport } from "./account-report.ts";
import { plainText, Money } from "./money.ts";
import { fillText, orderTicket } from "./order-text.ts";
import type { PaperAccount } from "./paper-account.ts";
import { notionalUsd } from "./positions.ts";

/** The toolset `paper_account`: `place_order` and `get_account`. */
export function paperAccountToolset(options: { account: PaperAccount; clock: Clock }): Toolset {
  return { name: "paper_account", tools: [placeOrder(options.account, options.clock), getAccount(options.account)] };
}

function placeOrder(account: PaperAccount, clock: Clock): Tool {
  return defineTool({
    name: "place_order",
    description:
      "Orders on the desk's paper account, filled at once at the replayed bid or ask, or not at all. A person may have to approve it first.",
    effect: "write",
    parameters: z.strictObject({
      symbol: symbolSchema(account.market.symbols),
      side: z.enum(["buy", "sell"], { error: 'must be "buy" or "sell"' }),
      quantity: decimalSchema().describe('Units of the pair\'s first currency, above 0, such as "100000".'),
      limit: decimalSchema().optional().describe("The worst price to fill at; without it, the market's."),
      reduceOnly: z
        .boolean({ error: "must be true or false" })
        .default(false)
        .describe("Filled only if it makes the position smaller and does not turn it round."),
      note: limitedText(limits.noteCharacters).optional().describe("Why, in words, for whoever approves it."),
    }),
    // The note is not part of it: the same order for another reason is the same order.
    identifiedBy: ["symbol", "side", "quantity", "limit", "reduceOnly"],
    async facts(order, { deskName }) {
      const { price, before, after, reduces } = await account.preview(deskName, order);
      return {
        // Only what the account enforces when it fills: without reduceOnly, another fill in between can turn it round.
        reducesRisk: order.reduceOnly && reduces,
        notionalUsd: plainText(notionalUsd(order.symbol, new Money(order.quantity), price)),
        positionBefore: plainText(before),
        positionAfter: plainText(after),
      };
    },
    async ticket(order, { deskName }) {
      const preview = await account.preview(deskName, order);
      return orderTicket(order, preview, account.market.decimals(order.symbol), clock);
    },
    async lookUp(key) {
      const order = await account.find(key);
      if (!order) return { found: false, text: "The ledger has no order under this key so far." };
      const { side, quantity, symbol, price, at, id } = order;
      return {
        found: true,
        text: `The ledger has it: ${side} ${quantity} ${symbol} at ${price}, ${at}, paper order ${id}.`,
      };
    },
    async run(order, { deskName, idempotencyKey, signal }) {
      const placed = await account.place(deskName, idempotencyKey, order, signal);
      return placed.filled ? done(fillText(placed, account)) : notDone(`Not filled: ${placed.reason}.`);
    },
  });
}

function getAccount(account: PaperAccount): Tool {
  return defineTool({
    name: "get_account",
    description:
      "The desk's paper account as JSON: cash, positions with their average price, profit. Amounts are in USD.",
    effect: "read",
    parameters: z.strictObject({}),
    run: async (_args, { deskName }) => done(JSON.stringify(await accountReport(account, deskName))),
  });
}

import { z } from "zod";
import { defineTool, done, notDone, type Tool, type ToolContext, type ToolResult } from "#lib/core/tool.ts";
import { decimalSchema } from "#lib/protocol/decimal.ts";

/** What the outside world saw of the test tools: the witness beside the record. */
export interface Witness {
  /** Orders that took effect, by idempotency key. */
  orders: { key: string; callId: string; symbol: string; quantity: string }[];
  reads: { name: string; symbol: string }[];
}

/** How the next runs of a tool go; the default where the list is empty. */
export interface Script {
  quotes: string[];
  orders: ((context: ToolContext) => Promise<ToolResult>)[];
}

/** `get_quote` (read), `place_order` (write, held), `cancel_orders` (write, allowed), `list_positions` (read, no fields). */
export function testTools(): { tools: Tool[]; witness: Witness; script: Script } {
  const witness: Witness = { orders: [], reads: [] };
  const script: Script = { quotes: [], orders: [] };
  const symbol = z.string().trim().min(1).max(20);
  const getQuote = defineTool({
    name: "get_quote",
    description: "A price",
    effect: "read",
    parameters: z.strictObject({ symbol, venue: z.string().default("any") }),
    async run(args) {
      witness.reads.push({ name: "get_quote", symbol: args.symbol });
      return done(script.quotes.shift() ?? "1.16042");
    },
  });
  const placeOrder = defineTool({
    name: "place_order",
    description: "Orders",
    effect: "write",
    parameters: z.strictObject({
      symbol,
      quantity: decimalSchema(),
      orderType: z.enum(["market", "limit"]).default("market"),
      note: z.string().optional(),
    }),
    identifiedBy: ["symbol", "quantity", "orderType"],
    facts: async (args) => ({ reducesRisk: args.symbol === "CLOSE", quantity: args.quantity }),
    ticket: async (args) => ({
      headline: `BUY ${args.quantity} ${args.symbol} MARKET`,
      side: "buy",
      rows: [{ label: "Quantity", value: args.quantity }],
      at: new Date(0).toISOString(),
    }),
    async lookUp(key) {
      const order = witness.orders.find((one) => one.key === key);
      return order ? { found: true, text: `found ${order.symbol}` } : { found: false, text: "not found" };
    },
    async run(args, context) {
      const scripted = script.orders.shift();
      if (scripted) return scripted(context);
      return fill(args, context);
    },
  });
  const fill = async (args: { symbol: string; quantity: string }, context: ToolContext) => {
    if (args.symbol === "NONE") return notDone("no such symbol at the broker");
    if (!witness.orders.some((order) => order.key === context.idempotencyKey)) {
      witness.orders.push({
        key: context.idempotencyKey,
        callId: context.callId,
        symbol: args.symbol,
        quantity: args.quantity,
      });
    }
    return done(`filled ${args.quantity} ${args.symbol}`);
  };
  const cancelOrders = defineTool({
    name: "cancel_orders",
    description: "Cancels orders",
    effect: "write",
    defaultVerdict: "allow",
    parameters: z.strictObject({
      all: z.boolean().optional(),
      ids: z.array(z.string()).optional(),
      orderId: z.string().optional(),
    }),
    async run(_args, context) {
      const scripted = script.orders.shift();
      if (scripted) return scripted(context);
      witness.orders.push({ key: context.idempotencyKey, callId: context.callId, symbol: "CANCEL", quantity: "0" });
      return done("cancelled");
    },
  });
  const listPositions = defineTool({
    name: "list_positions",
    description: "Positions",
    effect: "read",
    parameters: z.strictObject({}),
    async run() {
      witness.reads.push({ name: "list_positions", symbol: "" });
      return done("EURUSD 400000");
    },
  });
  return { tools: [getQuote, placeOrder, cancelOrders, listPositions], witness, script };
}

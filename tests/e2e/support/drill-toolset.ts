import { z } from "zod";
import { defineTool, done, type Toolset } from "#lib/core/tool.ts";

const payInvoice = defineTool({
  name: "pay_invoice",
  description: "A write without a ticket, which waits for a person.",
  effect: "write",
  parameters: z.strictObject({
    amount: z.string(),
    payee: z.string(),
    note: z.string().default(""),
    lines: z.array(z.string()).default([]),
  }),
  run: ({ amount, payee }) => Promise.resolve(done(`Paid ${amount} to ${payee}.`)),
});

const sendParcel = defineTool({
  name: "send_parcel",
  description: "A write that is allowed, and of which nobody knows whether it took effect.",
  effect: "write",
  defaultVerdict: "allow",
  parameters: z.strictObject({ to: z.string() }),
  lookUp: () => Promise.resolve({ found: false, text: "No parcel under this key has been seen yet." }),
  run: () => Promise.reject(new Error("the line went dead")),
});

/** The tools of the tests' desk. */
export const drillToolset: Toolset = { name: "drill", tools: [payInvoice, sendParcel] };

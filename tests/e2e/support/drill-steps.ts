import type { DrillStep } from "./drill-playbook.ts";

/** An order on the paper account, which waits for a person and has a ticket. */
export const order: DrillStep = {
  call: "place_order",
  with: { symbol: "EURUSD", side: "buy", quantity: "200000", note: "Trim if it gaps." },
};

/** A payment, which waits for a person and has no ticket. */
export function payment(note: string): DrillStep {
  return { call: "pay_invoice", with: { amount: "120.50", payee: "Acme", note } };
}

/** A write of unknown outcome. */
export const parcel: DrillStep = { call: "send_parcel", with: { to: "Berlin" } };

const levels = "| level | price |\n|---|---:|\n| entry | 1.16042 |\n| stop | 1.15900 |";

/** One question with previews. */
export const stopQuestion = {
  question: "Which stop should it use?",
  header: "Stop",
  multiSelect: false,
  options: [
    { label: "Tight", description: "Likely to be hit", preview: `${levels}\n\nTight words.` },
    { label: "Swing", description: "Below the last swing", preview: `${levels}\n\nSwing words.` },
    { label: "Wide", description: "Survives a bad day" },
  ],
};

/** One question that takes several choices. */
export const sizeQuestion = {
  question: "When may it trade?",
  header: "Hours",
  multiSelect: true,
  options: [
    { label: "At the open", description: "The first hour" },
    { label: "At noon", description: "Quiet" },
    { label: "At the close", description: "The last hour" },
  ],
};

/** Asks people. */
export function asks(...questions: unknown[]): DrillStep {
  return { call: "ask_user", with: { questions } };
}

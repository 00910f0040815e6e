// A thread in the place of the one that draws: it answers, fails, dies, or does nothing, by the symbol.
import { parentPort } from "node:worker_threads";

parentPort?.on("message", ({ symbol }: { symbol: string }) => {
  if (symbol === "GOOD") parentPort?.postMessage({ bytes: Uint8Array.of(1) });
  if (symbol === "FAILS") parentPort?.postMessage({ failure: "no such colour" });
  if (symbol === "THROWS") throw new Error("out of ink");
  if (symbol === "EXITS") process.exit(3);
});

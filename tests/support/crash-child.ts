// A process of the kill -9 suite: lives the life that its argument describes, tells on the standard output what the
// outside saw, and ends itself at the named point. A life that gets to its end leaves in an orderly way.
import { writeSync } from "node:fs";
import { inspect } from "node:util";
import { startFailure } from "#lib/server/fail-start.ts";
import { doActs } from "./crash-acts.ts";
import { CrashPoints } from "./crash-points.ts";
import type { LifeOrder, Report, Tell } from "./crash-script.ts";
import { startWorld } from "./crash-world.ts";

const order = JSON.parse(process.argv[2] ?? "") as LifeOrder;
const points = new CrashPoints(order.kill, order.stalls);

// Written in one go and without a buffer: what the outside was told survives the kill.
const write = (report: Report) => void writeSync(1, `${JSON.stringify(report)}\n`);
const tell: Tell = async (report) => {
  write(report);
  await points.reach(`told:${report.report}`);
};
const complain = (fields: Record<string, unknown>, message: string) =>
  void writeSync(2, `${message} ${inspect(fields)}\n`);
const log = { info: () => {}, warn: complain, error: complain };

try {
  const world = await startWorld({ folder: order.folder, aheadMs: order.aheadMs ?? 0, points, tell, log });
  await tell({ report: "started" });
  await doActs(order.acts, world);
  await world.runtime.stop();
  process.exit(0);
} catch (error) {
  write({ report: "notStarted", text: startFailure(error) });
  process.exit(1);
}

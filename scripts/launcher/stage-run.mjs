import { LaunchError } from "./launch-error.mjs";
import { prepare } from "./prepare.mjs";
import { isInterrupted } from "./processes.mjs";
import { closingLine, one, sum } from "./tally.mjs";

/**
 * @typedef {import("./stages.mjs").Stage} Stage
 * @typedef {import("./tally.mjs").Tally} Tally
 */

/**
 * Runs a stage; what stops it is said, and counts as one failure.
 * @param {() => Promise<Tally>} stage
 */
async function attempt(stage) {
  try {
    return await stage();
  } catch (error) {
    console.error(error instanceof LaunchError ? error.message : error);
    return one(false);
  }
}

/**
 * Runs the stages one after another, those only that are named if any are, and goes on after a failure with whatever
 * does not need what failed. The last line says how many tests and checks passed and failed; the result is the exit code.
 * @param {Stage[]} stages
 * @param {string[]} names
 */
export async function runStages(stages, names) {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new LaunchError(
      `No stage is called ${unknown.join(", ")}. There are: ${stages.map(({ name }) => name).join(", ")}.`,
    );
  }
  const wanted = stages.filter(
    ({ name }) =>
      names.length === 0 ||
      names.includes(name) ||
      stages.some((other) => other.needs === name && names.includes(other.name)),
  );
  /** @type {Map<string, Tally>} */
  const results = new Map();
  const ready = await attempt(async () => {
    await prepare("packages", "clients");
    return one(true);
  });
  if (ready.failed > 0) {
    results.set("prepare", ready);
  } else {
    for (const { name, needs, run } of wanted) {
      if (isInterrupted()) {
        results.set("interrupted", one(false));
        break;
      }
      if (results.get(needs ?? "")?.failed) {
        console.log(`\n▸ ${name}: not run, because ${needs} failed`);
        results.set(name, { passed: 0, failed: 0, skipped: 1 });
        continue;
      }
      console.log(`\n▸ ${name}`);
      results.set(name, await attempt(run));
    }
  }
  console.log("");
  for (const [name, tally] of results)
    console.log(`${tally.failed > 0 ? "✗" : "✓"} ${name}: ${tally.passed}, ${tally.failed}`);
  const total = sum([...results.values()]);
  console.log(`\n${closingLine(total)}`);
  return total.failed > 0 ? 1 : 0;
}

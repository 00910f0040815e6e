// The one way to start, test and check Deskboard: `npm start`, `npm test`, `npm run dev|check|format|audit|backup|restore`.
// Plain JavaScript without dependencies, for Node 18 and newer: it is what brings the Node and the packages that
// everything else needs. It does only what is left to do, and says each thing that it does in one line.
import process from "node:process";
import { LaunchError } from "./launcher/launch-error.mjs";
import { prepare } from "./launcher/prepare.mjs";
import { exitCodeOf, forwardSignals, runNode } from "./launcher/processes.mjs";
import { checkStages, testStages } from "./launcher/stages.mjs";
import { runStages } from "./launcher/stage-run.mjs";

// Node keeps what it compiled and stripped of types there: the next start takes a quarter less.
const server = { NODE_COMPILE_CACHE: "node_modules/.cache/node" };

/**
 * Runs a command on the data, beside a server or without one.
 * @param {string} file
 * @param {string[]} args
 */
async function runTool(file, args) {
  await prepare("packages", "clients");
  return exitCodeOf(await runNode([file, ...args], { env: { NODE_ENV: "production" } }));
}

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const commands = {
  async start(args) {
    await prepare("packages", "clients", "build");
    return exitCodeOf(await runNode(["server.ts", ...args], { env: { ...server, NODE_ENV: "production" } }));
  },
  async dev(args) {
    await prepare("packages", "clients");
    return exitCodeOf(await runNode(["server.ts", ...args], { env: { ...server, NODE_ENV: "development" } }));
  },
  test: (args) => runStages(testStages, args),
  check: (args) => runStages(checkStages, args),
  async format(args) {
    await prepare("packages");
    return exitCodeOf(await runNode(["node_modules/oxfmt/bin/oxfmt", ...args]));
  },
  audit: (args) => runTool("lib/server/audit-main.ts", args),
  backup: (args) => runTool("lib/server/backup-main.ts", args),
  restore: (args) => runTool("lib/server/restore-main.ts", args),
};

const [name = "", ...args] = process.argv.slice(2);
const command = commands[name];
if (command) {
  forwardSignals();
  try {
    process.exitCode = await command(args);
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
  }
} else {
  console.error(`Unknown command "${name}". There are: ${Object.keys(commands).join(", ")}.`);
  process.exitCode = 64;
}

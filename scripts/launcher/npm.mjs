import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { run } from "./processes.mjs";

/** The file of the npm that started the launcher, or of the one that belongs to the running Node. */
function npmFile() {
  const here = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath,
    join(here, "../lib/node_modules/npm/bin/npm-cli.js"),
    join(here, "node_modules/npm/bin/npm-cli.js"),
    join(here, "../share/nodejs/npm/bin/npm-cli.js"),
  ];
  return candidates.find((file) => file?.endsWith("npm-cli.js") && existsSync(file));
}

/**
 * Runs npm, quietly, under the given Node.
 * @param {string} node
 * @param {string[]} args
 */
export function runNpm(node, args) {
  const file = npmFile();
  const quietly = [...args, "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  return file ? run(node, [file, ...quietly], { quiet: true }) : run("npm", quietly, { quiet: true });
}

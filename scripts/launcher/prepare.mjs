import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fingerprint } from "./fingerprint.mjs";
import { packagesMatch } from "./installed-packages.mjs";
import { LaunchError } from "./launch-error.mjs";
import { withLock } from "./lock.mjs";
import { broughtNodeWorks, broughtVersion, nodePath, runningNodeIsNewEnough } from "./node-runtime.mjs";
import { runNpm } from "./npm.mjs";
import { nodeFolder, root } from "./paths.mjs";
import { exitCodeOf, runNode, stopIfInterrupted } from "./processes.mjs";

/**
 * One thing that must be so before a command runs. `what` says what its doing is; `act` does it and returns how it went.
 * @typedef {{ what: string, isDone: () => boolean, act: () => Promise<import("./processes.mjs").Ending> }} Step
 */

/** @param {string} line */
const say = (line) => console.log(`· ${line}`);

/** @param {string} path */
const at = (path) => join(root, path);

/**
 * A step that is done as long as what it was made from is unchanged. The mark goes away while it is made anew, so that
 * one that was cut off is not taken for whole.
 * @param {{ what: string, mark: string, from: () => string, act: Step["act"], alreadySo?: () => boolean }} made
 * @returns {Step}
 */
function madeFrom({ what, mark, from, act, alreadySo = () => false }) {
  const file = at(mark);
  const isMarked = () => existsSync(file) && readFileSync(file, "utf8") === from();
  return {
    what,
    isDone() {
      if (isMarked()) return true;
      if (!alreadySo()) return false;
      writeFileSync(file, from());
      return true;
    },
    async act() {
      const made = from();
      rmSync(file, { force: true });
      const ending = await act();
      if (ending.code === 0) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, made);
      }
      return ending;
    },
  };
}

/** @type {Step} */
const node = {
  what: `Bringing Node ${broughtVersion} into ${nodeFolder} (this one, ${process.versions.node}, is too old)`,
  isDone: () => runningNodeIsNewEnough || broughtNodeWorks(),
  act() {
    rmSync(at(`${nodeFolder}/node_modules`), { recursive: true, force: true });
    rmSync(at(`${nodeFolder}/package-lock.json`), { force: true });
    // The package's script fetches the binary for this platform; npm runs it only where it is allowed.
    writeFileSync(at(`${nodeFolder}/package.json`), JSON.stringify({ private: true, allowScripts: { node: true } }));
    return runNpm(process.execPath, ["install", "--prefix", at(nodeFolder), `node@${broughtVersion}`]);
  },
};

const steps = {
  packages: madeFrom({
    what: "Installing the packages (about a minute)",
    mark: "node_modules/.deskboard-packages",
    from: () => `${process.platform} ${process.arch} ${fingerprint(root, ["package-lock.json"])}`,
    alreadySo: () => packagesMatch(root),
    // None of the packages needs its install script; some would download or compile what is not used here.
    act: () => runNpm(nodePath(), ["ci", "--include=dev", "--ignore-scripts"]),
  }),
  clients: madeFrom({
    what: "Generating the database client",
    mark: "lib/db/generated/.made-from",
    from: () => fingerprint(root, ["prisma", "package-lock.json"], ["prisma/migrations"]),
    act: () =>
      runNode(["node_modules/prisma/build/index.js", "generate"], {
        quiet: true,
        // `generate` does not run the schema engine, but looks for one, and downloads it unless this names some program.
        env: { PRISMA_SCHEMA_ENGINE_BINARY: nodePath(), PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" },
      }),
  }),
  build: madeFrom({
    what: "Building the pages",
    mark: ".next/deskboard-build",
    from: () =>
      fingerprint(
        root,
        ["app", "components", "lib", "public", "prisma", "next.config.ts", "postcss.config.mjs"].concat([
          "tsconfig.json",
          "package.json",
          "package-lock.json",
        ]),
        ["lib/db/generated", "prisma/migrations"],
      ),
    act: () => runNode(["node_modules/next/dist/bin/next", "build"], { quiet: true, env: { NODE_ENV: "production" } }),
  }),
};

/** @param {Step} step */
async function take(step) {
  if (step.isDone()) return;
  say(step.what);
  const startedAt = Date.now();
  const ending = await step.act();
  stopIfInterrupted();
  if (ending.code !== 0) {
    process.stdout.write(ending.output);
    throw new LaunchError(`${step.what}: this failed, as said above.`, exitCodeOf(ending));
  }
  const seconds = (Date.now() - startedAt) / 1000;
  if (seconds >= 5) say(`Done in ${seconds.toFixed(0)} s`);
}

/**
 * Does what is left to do of the named steps, the Node that they run under first. Where nothing is left it takes no lock
 * and says nothing. Throws a LaunchError after showing what a failed step printed.
 * @param {...(keyof typeof steps)} names
 */
export async function prepare(...names) {
  const wanted = [node, ...names.map((name) => steps[name])];
  if (wanted.every((step) => step.isDone())) return;
  await withLock(at(`${nodeFolder}/lock`), {
    say,
    work: async () => {
      for (const step of wanted) await take(step);
    },
  });
}

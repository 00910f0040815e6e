import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { LaunchError } from "./launch-error.mjs";
import { nodePath } from "./node-runtime.mjs";
import { root } from "./paths.mjs";
import { run, runNode } from "./processes.mjs";

const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"];
const known = [
  "/usr/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const playwright = "node_modules/playwright/cli.js";

/**
 * Whether it is there and starts: a downloaded browser may lack libraries of the system.
 * @param {string} file
 */
const works = (file) => existsSync(file) && spawnSync(file, ["--version"], { timeout: 30_000 }).status === 0;

/** A browser that this machine already has. */
function installed() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [process.env.DESKBOARD_CHROMIUM ?? "", ...onPath, ...known].find(works);
}

/** The browser that Playwright has downloaded, here or earlier. */
function playwrights() {
  const script = 'import("playwright").then(({ chromium }) => console.log(chromium.executablePath()))';
  const { stdout } = spawnSync(nodePath(), ["-e", script], { cwd: root, encoding: "utf8" });
  return [stdout?.trim() ?? ""].find(works);
}

async function download() {
  console.log("· Bringing a browser: there is none on the PATH, so Playwright downloads its own");
  await runNode([playwright, "install", "chromium"], {
    quiet: true,
    timeoutMs: 600_000,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "10000" },
  });
  return playwrights();
}

async function installPackage() {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return undefined;
  console.log("· That download failed: installing the system's package chromium");
  const options = { quiet: true, env: { DEBIAN_FRONTEND: "noninteractive" } };
  await run("apt-get", ["update"], options);
  const { code, output } = await run("apt-get", ["install", "-y", "chromium"], options);
  if (code !== 0) console.log(output);
  return installed();
}

/**
 * The path of a Chrome or Chromium that starts: one on the PATH, Playwright's own, or the system's package, in this
 * order. Throws a LaunchError that says what to install where there is no way to one.
 */
export async function bringBrowser() {
  const found = installed() ?? playwrights() ?? (await download()) ?? (await installPackage());
  if (found) return found;
  throw new LaunchError(
    "The browser tests need Chrome or Chromium, and none could be brought: install one and put it on the PATH " +
      "(Debian: apt-get install chromium; any system: npx playwright install --with-deps chromium).",
  );
}

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { nodeFolder, root } from "./paths.mjs";

const oldestMajor = 24;

/** The Node that is brought where the running one is older than what the project needs. */
export const broughtVersion = "26.10.0";

const ownNode = join(root, nodeFolder, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");

/** Whether the Node that runs the launcher can run everything else. */
export const runningNodeIsNewEnough = Number(process.versions.node.split(".")[0]) >= oldestMajor;

/** The Node that runs everything but the launcher. */
export const nodePath = () => (runningNodeIsNewEnough ? process.execPath : ownNode);

/** Whether the brought Node is there, whole, and the wanted one. */
export function broughtNodeWorks() {
  const { stdout } = spawnSync(ownNode, ["--version"], { encoding: "utf8" });
  return stdout?.trim() === `v${broughtVersion}`;
}

import { fileURLToPath } from "node:url";

/** The folder of the project; every path of the launcher is relative to it. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where a Node of the project's own is kept if the PATH has none that is new enough, and the launcher's lock. */
export const nodeFolder = ".node";

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockedPackage
 */

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage>}
 */
const packagesIn = (file) => JSON.parse(readFileSync(file, "utf8")).packages ?? {};

/**
 * Whether node_modules already has what the lockfile asks for, as after an `npm install` by hand: then a whole new
 * installation would only cost a minute. npm writes its own list when an installation is complete, and only then.
 * @param {string} folder
 */
export function packagesMatch(folder) {
  const installedList = join(folder, "node_modules/.package-lock.json");
  if (!existsSync(installedList)) return false;
  const installed = packagesIn(installedList);
  const locked = packagesIn(join(folder, "package-lock.json"));
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === "") return true;
    const found = installed[path];
    if (!found) return Boolean(wanted.optional ?? wanted.devOptional);
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

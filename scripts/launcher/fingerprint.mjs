import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file at or below the path, in a stable order; none where there is nothing.
 * @param {string} path
 * @param {string[]} without
 * @returns {string[]}
 */
function filesOf(path, without) {
  if (without.includes(path)) return [];
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name), without));
}

/**
 * A hash over names and contents of the files at or below the paths (relative to the folder).
 * @param {string} folder
 * @param {string[]} paths
 * @param {string[]} [without]
 */
export function fingerprint(folder, paths, without = []) {
  const hash = createHash("sha256");
  const skipped = without.map((path) => join(folder, path));
  for (const file of paths.flatMap((path) => filesOf(join(folder, path), skipped))) {
    const content = readFileSync(file);
    hash.update(`${file.slice(folder.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

import { randomBytes } from "node:crypto";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "./write-atomically.ts";

/** The file that holds the anchors' key where none is given. */
export const anchorKeyFile = "anchor.key";

/**
 * The key of the anchors: the given one, else that of a file of mode 0600 in the data folder, which is made where there
 * is none.
 */
export async function anchorKey(dataDir: string, given: string | null | undefined): Promise<string> {
  if (typeof given === "string") return given;
  const kept = await readAnchorKey(dataDir);
  if (kept !== null) {
    await chmod(join(dataDir, anchorKeyFile), 0o600);
    return kept;
  }
  const made = randomBytes(32).toString("hex");
  await writeAtomically(join(dataDir, anchorKeyFile), `${made}\n`, 0o600);
  return made;
}

/** The key that the data folder holds, or null. */
export async function readAnchorKey(dataDir: string): Promise<string | null> {
  try {
    const key = (await readFile(join(dataDir, anchorKeyFile), "utf8")).trim();
    return key === "" ? null : key;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

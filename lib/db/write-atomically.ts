import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces a file so that after a crash at any point it has either the old content or the new one, whole and on disk. */
export async function writeAtomically(file: string, content: string, mode = 0o644): Promise<void> {
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, "w", mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await putInPlace(temporary, file);
}

/** Gives a file that is on disk another's name and place, at once and for good. */
export async function putInPlace(temporary: string, file: string): Promise<void> {
  await rename(temporary, file);
  const folder = await open(dirname(file), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

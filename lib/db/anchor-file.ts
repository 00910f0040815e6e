import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "#lib/core/app-error.ts";
import type { Anchor } from "./anchor.ts";
import { writeAtomically } from "./write-atomically.ts";

const anchorSchema = z.strictObject({
  version: z.literal(1),
  at: z.string(),
  position: z.int(),
  heads: z.array(z.strictObject({ deskName: z.string(), position: z.int(), seq: z.int(), hash: z.string() })),
  mac: z.string(),
});

/** The anchor's file in a data folder. */
export function anchorPath(dataDir: string): string {
  return join(dataDir, "anchor.json");
}

/**
 * The last anchor, or null where there is no file.
 * @throws AppError `record_unavailable` where the file is not an anchor.
 */
export async function readAnchor(dataDir: string): Promise<Anchor | null> {
  const file = anchorPath(dataDir);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  try {
    return anchorSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError("record_unavailable", `${file} cannot be read as an anchor.`, { cause: error });
  }
}

/** Replaces the last anchor. */
export async function writeAnchor(dataDir: string, anchor: Anchor): Promise<void> {
  await writeAtomically(anchorPath(dataDir), `${JSON.stringify(anchor, null, 2)}\n`);
}

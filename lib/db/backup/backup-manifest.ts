import { createHmac, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "#lib/core/app-error.ts";
import { writeAtomically } from "#lib/db/write-atomically.ts";

const contentSchema = z.strictObject({
  version: z.literal(1),
  /** When the copy was made. */
  madeAt: z.string(),
  /** The version of Deskboard that made it. */
  madeBy: z.string(),
  /** The last event that is in it. */
  position: z.int(),
  databaseBytes: z.int(),
  databaseSha256: z.string(),
});
const manifestSchema = contentSchema.extend({ mac: z.string() });

/** What a backup says about itself, under the anchors' key. */
export type BackupManifest = z.infer<typeof manifestSchema>;
type Content = z.infer<typeof contentSchema>;

const manifestName = "backup.json";

/** What a backup says about itself, sealed. */
export function sealManifest(key: string, content: Content): BackupManifest {
  return { ...content, mac: macOf(key, content) };
}

/** Whether it was sealed under this key and nobody changed it. */
export function isManifestSealedBy(key: string, manifest: BackupManifest): boolean {
  const expected = Buffer.from(macOf(key, manifest), "hex");
  const given = Buffer.from(manifest.mac, "hex");
  return expected.length === given.length && timingSafeEqual(expected, given);
}

export async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  await writeAtomically(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Reads what a backup says about itself.
 * @throws AppError `not_found` where the folder is no backup, `invalid` where its words cannot be read.
 */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const file = join(folder, manifestName);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new AppError("not_found", `${folder} is no backup: there is no ${manifestName} in it.`, { cause: error });
  }
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError("invalid", `${file} cannot be read as a backup's own description.`, { cause: error });
  }
}

function macOf(key: string, { version, madeAt, madeBy, position, databaseBytes, databaseSha256 }: Content): string {
  return createHmac("sha256", key)
    .update(JSON.stringify(["backup", version, madeAt, madeBy, position, databaseBytes, databaseSha256]))
    .digest("hex");
}

import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { AppError } from "#lib/core/app-error.ts";

/**
 * The database's file: the one of a `file:` URL, relative to the working directory, by default one in the data folder.
 * @throws AppError `invalid` for any other URL.
 */
export function recordLocation(dataDir: string, databaseUrl: string | undefined): string {
  if (databaseUrl === undefined) return resolve(join(dataDir, "deskboard.db"));
  if (databaseUrl.startsWith("file://")) return fileURLToPath(databaseUrl);
  const path = databaseUrl.startsWith("file:") ? databaseUrl.slice("file:".length) : "";
  if (path !== "" && !path.includes("?") && path !== ":memory:") return resolve(path);
  // The URL may hold a password: only its beginning is shown.
  throw new AppError("invalid", "DATABASE_URL has to name a file.", {
    field: "DATABASE_URL",
    limit: "file:/path/to/deskboard.db",
    given: `${databaseUrl.slice(0, databaseUrl.indexOf(":") + 1)}…`,
  });
}

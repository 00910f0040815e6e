import { AppError } from "#lib/core/app-error.ts";
import { urlHost, type Settings } from "./env.ts";

type Address = Pick<Settings, "publicUrl" | "host" | "port">;

/** Every origin that is ours: the public one, and this machine's names for the port that we listen on. */
export function ownOrigins({ publicUrl, port }: Address): ReadonlySet<string> {
  const local = ["localhost", "127.0.0.1", "::1"].map((name) => new URL(`http://${urlHost(name)}:${port}`).origin);
  return new Set([publicUrl, ...local]);
}

/**
 * Refuses a request for a host that is not ours: a foreign page whose name was pointed at this machine.
 * @throws AppError `forbidden_host`
 */
export function checkHost(host: string | null | undefined, address: Address): void {
  const own = [...ownOrigins(address)].map((origin) => new URL(origin).host);
  if (host && own.includes(host.toLowerCase())) return;
  throw new AppError("forbidden_host", "This host is not served here", {
    field: "host",
    limit: own.join(" or "),
    given: host || "nothing",
  });
}

/**
 * Refuses a socket that another site's page opens. Browsers send `Origin` with each; whatever sends none is refused, too.
 * @throws AppError `forbidden_origin`
 */
export function checkSocketOrigin(origin: string | null | undefined, address: Address): void {
  const own = ownOrigins(address);
  if (origin && own.has(origin)) return;
  throw new AppError("forbidden_origin", "Sockets are opened by Deskboard's own pages only", {
    field: "origin",
    limit: [...own].join(" or "),
    given: origin || "nothing",
  });
}

/**
 * Refuses a write that another site's page makes. Browsers send `Origin` with every write, so one without it comes from
 * a program such as curl, which no page can drive, and passes; unless `Sec-Fetch-Site`, which no page can leave out or
 * forge, says that a page made it after all.
 * @throws AppError `forbidden_origin`
 */
export function checkOrigin(headers: Pick<Headers, "get">, address: Address): void {
  const own = ownOrigins(address);
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const ours = origin === null ? site === null || site === "same-origin" || site === "none" : own.has(origin);
  if (ours) return;
  throw new AppError("forbidden_origin", "Writes are taken from Deskboard's own pages only", {
    field: origin === null ? "sec-fetch-site" : "origin",
    limit: origin === null ? "same-origin" : [...own].join(" or "),
    given: origin ?? site ?? "nothing",
  });
}

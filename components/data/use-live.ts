import { createContext, useContext, useEffect, useSyncExternalStore } from "react";
import type { LiveFeeds } from "./live-connection.ts";
import type { Looker } from "./live-presence.ts";
import type { LiveStatus } from "./live-status.ts";
import { pollMs } from "./poll.ts";

/** What the query provider shares. */
export const LiveContext = createContext<LiveFeeds | null>(null);

/** The feeds of the live stream. */
export function useLiveFeeds(): LiveFeeds {
  const feeds = useContext(LiveContext);
  if (!feeds) throw new Error("there is no QueryProvider around this component");
  return feeds;
}

const connecting: LiveStatus = { state: "connecting" };
const nobody: readonly Looker[] = [];

/** Whether everything that happens arrives here: `live`, `connecting`, or `down` since when. */
export function useLiveStatus(): LiveStatus {
  const { status } = useLiveFeeds();
  return useSyncExternalStore(status.watch, status.read, () => connecting);
}

/** How often a snapshot is read while live is not there; not at all while it is. */
export function useFallbackMs(): number | false {
  return useLiveStatus().state === "live" ? false : pollMs.fallback;
}

/** Who else has this card open: one entry for each of their tabs. Empty while live is down. */
export function usePresence(requestId: string): readonly Looker[] {
  const { presence } = useLiveFeeds();
  return useSyncExternalStore(
    presence.watch,
    () => presence.others(requestId),
    () => nobody,
  );
}

/** Tells the others that this tab has the card open, as long as the component is there; null says nothing. */
export function useLooking(requestId: string | null): void {
  const { presence } = useLiveFeeds();
  useEffect(() => (requestId === null ? undefined : presence.look(requestId)), [presence, requestId]);
}

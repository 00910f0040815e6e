import { useQuery } from "@tanstack/react-query";
import { callRoute } from "./api-client.ts";
import { pollMs } from "./poll.ts";
import { useDesks } from "./desks.ts";
import { RequestFailed } from "./request-failed.ts";
import { useLiveStatus } from "./use-live.ts";

/**
 * What the banner has to say about the server; null while all is well. `since`: since when what is shown may be old, in
 * milliseconds since 1970.
 */
export type ServerTrouble = {
  kind: "unreachable" | "live_down" | "read_only";
  message: string;
  since: number | null;
};

/** Whether the server answers, whether it can write its record, and whether live is there. */
export function useServerTrouble(): ServerTrouble | null {
  const live = useLiveStatus();
  const desks = useDesks();
  const health = useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => callRoute("health", { signal }),
    refetchInterval: pollMs.health,
  });
  // Not `error` alone: it is empty while the next try is under way.
  if (desks.errorUpdatedAt > desks.dataUpdatedAt) {
    const since = live.state === "down" ? Math.max(desks.dataUpdatedAt, live.since) : desks.dataUpdatedAt;
    const { error } = desks;
    const refused = error instanceof RequestFailed && error.code !== "unreachable";
    const message = refused ? error.message : "The server cannot be reached.";
    return { kind: "unreachable", message, since: desks.dataUpdatedAt === 0 ? null : since };
  }
  if (health.data?.status === "read_only") {
    return { kind: "read_only", message: "The record cannot be written.", since: null };
  }
  if (live.state === "down") return { kind: "live_down", message: "Live is down.", since: live.since };
  return null;
}

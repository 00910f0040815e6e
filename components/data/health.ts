import { useQuery } from "@tanstack/react-query";
import { callRoute } from "./api-client.ts";
import { pollMs } from "./poll.ts";
import { useDesks } from "./desks.ts";
import { RequestFailed } from "./request-failed.ts";

/** What the banner has to say about the server; null while all is well. */
export type ServerTrouble = { kind: "unreachable" | "read_only"; message: string; since: number | null };

/** Whether the server answers, and whether it can write its record. */
export function useServerTrouble(): ServerTrouble | null {
  const desks = useDesks();
  const health = useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => callRoute("health", { signal }),
    refetchInterval: pollMs.health,
  });
  // Not `error` alone: it is empty while the next try is under way.
  if (desks.errorUpdatedAt > desks.dataUpdatedAt) {
    const since = desks.dataUpdatedAt === 0 ? null : desks.dataUpdatedAt;
    const { error } = desks;
    const refused = error instanceof RequestFailed && error.code !== "unreachable";
    const message = refused ? error.message : "The server cannot be reached.";
    return { kind: "unreachable", message, since };
  }
  if (health.data?.status === "read_only") {
    return { kind: "read_only", message: "The record cannot be written.", since: null };
  }
  return null;
}

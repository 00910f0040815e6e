import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RequestReply, RequestView } from "#lib/protocol/views.ts";
import { callRoute } from "./api-client.ts";
import { newerSnapshot } from "./live-snapshots.ts";
import { pollMs } from "./poll.ts";
import { useFallbackMs } from "./use-live.ts";

/** Where the cache keeps what waits. */
export const waitingKey = ["requests", "waiting"] as const;

/** Where the cache keeps one request. */
export const requestKey = (id: string) => ["requests", "one", id] as const;

/** What waits for a person, in the server's order: uncertain calls first, then by time left. Always a snapshot. */
export function useWaiting() {
  const client = useQueryClient();
  return useQuery({
    queryKey: waitingKey,
    queryFn: async ({ signal }) =>
      newerSnapshot(client, waitingKey, await callRoute("listRequests", { query: { limit: 100 }, signal })),
    select: requestsOf,
    refetchInterval: useFallbackMs(),
  });
}

/**
 * One request as it stands, with its ticket as of now. `shown` is what the list said of it, and whether it still waits;
 * only a `followed` one, and one that is being carried out, is read again and again.
 */
export function useRequest(shown: { request: RequestView; waits: boolean }, followed: boolean): RequestView {
  const { request, waits } = shown;
  const client = useQueryClient();
  const fallbackMs = useFallbackMs();
  const key = requestKey(request.id);
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      newerSnapshot(client, key, await callRoute("readRequest", { params: { id: request.id }, signal })),
    placeholderData: { ...request, asOf: 0 },
    select: withoutAsOf,
    enabled: followed || !waits,
    refetchInterval: ({ state: { data } }) => {
      if (!waits) return isOpen(data ?? request) ? fallbackMs : false;
      return pollMs.request;
    },
  });
  return query.data ?? request;
}

function requestsOf({ requests }: { requests: RequestView[] }): RequestView[] {
  return requests;
}

function withoutAsOf({ asOf: _asOf, ...request }: RequestReply): RequestView {
  return request;
}

/** Whether something will still become of it by itself. */
function isOpen({ state }: RequestView): boolean {
  return state === "pending" || state === "approved" || state === "running";
}

/** Takes over a request as the server gave it with an answer. */
export async function takeRequest(client: QueryClient, request: RequestReply): Promise<void> {
  // An older answer that is under way must not win over this one.
  const key = requestKey(request.id);
  await client.cancelQueries({ queryKey: key });
  client.setQueryData(key, newerSnapshot(client, key, request));
  void client.invalidateQueries({ queryKey: key });
}

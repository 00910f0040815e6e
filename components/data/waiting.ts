import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { RequestView } from "#lib/protocol/views.ts";
import { callRoute } from "./api-client.ts";
import { pollMs } from "./poll.ts";

/** Where the cache keeps what waits. */
export const waitingKey = ["requests", "waiting"] as const;

/** Where the cache keeps one request. */
export const requestKey = (id: string) => ["requests", "one", id] as const;

/** What waits for a person, in the server's order: uncertain calls first, then by time left. Always a snapshot. */
export function useWaiting() {
  return useQuery({
    queryKey: waitingKey,
    queryFn: async ({ signal }) => (await callRoute("listRequests", { query: { limit: 100 }, signal })).requests,
    refetchInterval: pollMs.board,
  });
}

/**
 * One request as it stands, with its ticket as of now. `shown` is what the list said of it, and whether it still waits;
 * only a `followed` one, and one that is being carried out, is read again and again.
 */
export function useRequest(shown: { request: RequestView; waits: boolean }, followed: boolean): RequestView {
  const { request, waits } = shown;
  const query = useQuery({
    queryKey: requestKey(request.id),
    queryFn: ({ signal }) => callRoute("readRequest", { params: { id: request.id }, signal }),
    placeholderData: request,
    enabled: followed || !waits,
    refetchInterval: ({ state: { data } }) => {
      if (!waits) return isOpen(data ?? request) ? pollMs.board : false;
      return pollMs.request;
    },
  });
  return query.data ?? request;
}

/** Whether something will still become of it by itself. */
function isOpen({ state }: RequestView): boolean {
  return state === "pending" || state === "approved" || state === "running";
}

/** Takes over a request as the server gave it with an answer. */
export async function takeRequest(client: QueryClient, request: RequestView): Promise<void> {
  // An older answer that is under way must not win over this one.
  await client.cancelQueries({ queryKey: requestKey(request.id) });
  client.setQueryData(requestKey(request.id), request);
  void client.invalidateQueries({ queryKey: requestKey(request.id) });
}

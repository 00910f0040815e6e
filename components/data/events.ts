import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "./api-client.ts";
import { eventPageRows, eventsKey, keptRows } from "./live-timeline.ts";
import { mergeEvents, type TimelinePiece } from "./merge-events.ts";
import { useFallbackMs, useLiveFeeds } from "./use-live.ts";

/** The newest events, as they happen; older ones come with `older`. */
export function useTimeline() {
  const client = useQueryClient();
  const { timeline } = useLiveFeeds();
  const query = useQuery({
    queryKey: eventsKey,
    queryFn: ({ signal }) => timeline.read(signal),
    refetchInterval: useFallbackMs(),
    structuralSharing: false,
  });
  const older = useMutation({
    mutationFn: () => {
      const before = client.getQueryData<TimelinePiece>(eventsKey)?.events[0]?.position ?? 1;
      return callRoute("listEvents", { query: { before, limit: eventPageRows } });
    },
    onSuccess: (page) => {
      client.setQueryData<TimelinePiece>(eventsKey, (piece) => {
        // The piece may have been cut or read anew meanwhile: it never gets a gap.
        const joins = piece && page.events.at(-1)?.position === (piece.events[0]?.position ?? 0) - 1;
        return joins ? { events: mergeEvents(piece.events, page.events), hasOlder: page.more } : piece;
      });
    },
  });
  return { piece: query.data, error: query.error, older };
}

/** Lets go of the oldest of so many rows, for a reader who stays at the newest. */
export function trimTimeline(client: QueryClient, rows: number): void {
  if (rows <= keptRows * 2) return;
  client.setQueryData<TimelinePiece>(eventsKey, (piece) =>
    piece ? { events: piece.events.slice(-keptRows), hasOlder: true } : piece,
  );
}

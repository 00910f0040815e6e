import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { limits } from "#lib/protocol/limits.ts";
import { callRoute } from "./api-client.ts";
import { mergeEvents, type TimelineEvent, type TimelinePiece } from "./merge-events.ts";
import { pollMs } from "./poll.ts";

const eventsKey = ["events"] as const;
const pageRows = 100;
/** Older rows leave when this many are held and nobody has asked for older ones. */
const mostRows = 500;

/** The piece with events that arrived; by polling now, and it is all that a live stream has to call. */
function withEvents(piece: TimelinePiece, events: readonly TimelineEvent[]): TimelinePiece {
  const merged = mergeEvents(piece.events, events);
  return merged === piece.events ? piece : { ...piece, events: merged };
}

async function readNewer(piece: TimelinePiece, signal: AbortSignal): Promise<TimelinePiece> {
  let next = piece;
  for (;;) {
    const after = next.events.at(-1)?.position ?? 0;
    const page = await callRoute("listEvents", { query: { after, limit: limits.pageRows }, signal });
    next = withEvents(next, page.events);
    if (!page.more || page.events.length === 0) return next;
  }
}

async function readNewest(signal: AbortSignal): Promise<TimelinePiece> {
  const page = await callRoute("listEvents", { query: { limit: pageRows }, signal });
  return { events: mergeEvents([], page.events), hasOlder: page.more };
}

/** The newest events; older ones come with `older`. */
export function useTimeline() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: eventsKey,
    queryFn: async ({ signal }) => {
      const piece = client.getQueryData<TimelinePiece>(eventsKey);
      const next = piece ? await readNewer(piece, signal) : await readNewest(signal);
      // Older ones may have come in meanwhile.
      const now = client.getQueryData<TimelinePiece>(eventsKey);
      return now && now !== piece ? withEvents(now, next.events) : next;
    },
    refetchInterval: pollMs.board,
    structuralSharing: false,
  });
  const older = useMutation({
    mutationFn: () => {
      const before = client.getQueryData<TimelinePiece>(eventsKey)?.events[0]?.position ?? 1;
      return callRoute("listEvents", { query: { before, limit: pageRows } });
    },
    onSuccess: (page) => {
      client.setQueryData<TimelinePiece>(
        eventsKey,
        (piece) => piece && { events: mergeEvents(piece.events, page.events), hasOlder: page.more },
      );
    },
  });
  return { piece: query.data, error: query.error, older };
}

/** Lets go of the oldest of so many rows, for a reader who stays at the newest. */
export function trimTimeline(client: QueryClient, rows: number): void {
  if (rows <= mostRows * 2) return;
  client.setQueryData<TimelinePiece>(eventsKey, (piece) =>
    piece ? { events: piece.events.slice(-mostRows), hasOlder: true } : piece,
  );
}

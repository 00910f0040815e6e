import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { changeDeskBody } from "#lib/protocol/bodies.ts";
import type { DeskView } from "#lib/protocol/views.ts";
import { callRoute } from "./api-client.ts";
import { newerSnapshot } from "./live-snapshots.ts";
import { pollMs } from "./poll.ts";
import { useFallbackMs } from "./use-live.ts";

/** Where the cache keeps the desks. */
export const desksKey = ["desks"] as const;

/** All desks that are not archived. */
export function useDesks() {
  const client = useQueryClient();
  return useQuery({
    queryKey: desksKey,
    queryFn: async ({ signal }) => newerSnapshot(client, desksKey, await callRoute("listDesks", { signal })),
    select: withoutArchived,
    // A desk that is halted, since its record cannot be written, makes no event.
    refetchInterval: useFallbackMs() || pollMs.health,
  });
}

function withoutArchived({ desks }: { desks: DeskView[] }): DeskView[] {
  return desks.filter((desk) => desk.status !== "archived");
}

function useDeskMutation<Input, Result>(work: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSettled: () => client.invalidateQueries(),
  });
}

/** Pauses one desk. */
export function usePauseDesk() {
  return useDeskMutation((desk: string) => callRoute("pauseDesk", { params: { desk }, body: {} }));
}

/** Pauses every active desk. */
export function usePauseAll() {
  return useDeskMutation(() => callRoute("pauseAll", { body: {} }));
}

/** Changes a desk: resumes it with `status`, or takes away the card of a cap with `capSeen`. */
export function useChangeDesk(desk: DeskView["name"]) {
  return useDeskMutation((body: z.input<typeof changeDeskBody>) => callRoute("changeDesk", { params: { desk }, body }));
}

/** Stops the running or latest turn of a desk, or with `all` everything of it. */
export function useStopDesk(desk: DeskView["name"]) {
  return useDeskMutation((all: boolean) => callRoute("stopDesk", { params: { desk }, body: { all } }));
}

"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { callRoute } from "./api-client.ts";
import { connectLive, type LiveFeeds } from "./live-connection.ts";
import { LivePresence } from "./live-presence.ts";
import { LiveSnapshots } from "./live-snapshots.ts";
import { LiveStatusStore } from "./live-status.ts";
import { LiveTimeline } from "./live-timeline.ts";
import { LiveContext } from "./use-live.ts";

function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 0,
        refetchOnWindowFocus: "always",
        refetchIntervalInBackground: false,
        // A desk on this machine can be reached while the machine is offline.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

function createFeeds(client: QueryClient): LiveFeeds {
  return {
    timeline: new LiveTimeline(client, (query, signal) =>
      callRoute("listEvents", { query, ...(signal && { signal }) }),
    ),
    snapshots: new LiveSnapshots(client),
    presence: new LivePresence(),
    status: new LiveStatusStore(),
  };
}

/** What the page knows of the server, and the one live connection that keeps it so. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createClient);
  const [feeds] = useState(() => createFeeds(client));
  useEffect(() => connectLive(location.origin, feeds), [feeds]);
  return (
    <QueryClientProvider client={client}>
      <LiveContext value={feeds}>{children}</LiveContext>
    </QueryClientProvider>
  );
}

import { io, type Socket } from "socket.io-client";
import {
  type ClientToServer,
  headsSchema,
  liveEventSchema,
  presenceSchema,
  type ServerToClient,
  socketPath,
  watchedSchema,
} from "#lib/protocol/socket.ts";
import type { LivePresence } from "./live-presence.ts";
import type { LiveSnapshots } from "./live-snapshots.ts";
import type { LiveStatusStore } from "./live-status.ts";
import type { LiveTimeline } from "./live-timeline.ts";

type LiveSocket = Socket<ServerToClient, ClientToServer>;

/** What the live stream feeds. */
export interface LiveFeeds {
  timeline: LiveTimeline;
  snapshots: LiveSnapshots;
  presence: LivePresence;
  status: LiveStatusStore;
}

/** How long the server may take to acknowledge. */
const answerMs = 5_000;
/** A person should not wait for longer than a second once the server is back. */
const retries = {
  reconnectionDelay: 250,
  reconnectionDelayMax: 600,
  randomizationFactor: 0.3,
  timeout: 5_000,
} as const;
/** The pause before a connection is opened anew where the library does not do it by itself. */
const anewMs = 500;

/**
 * Opens the one socket of this page and feeds what it brings. What it brings is parsed; a message that cannot be read only
 * says that something is new.
 * @param origin where the server is, such as `location.origin`.
 * @returns what closes it.
 */
export function connectLive(origin: string, { timeline, snapshots, presence, status }: LiveFeeds): () => void {
  const socket: LiveSocket = io(origin, {
    ...retries,
    path: socketPath,
    transports: ["websocket"],
    autoConnect: false,
  });
  let ended = false;
  let anew: ReturnType<typeof setTimeout> | undefined;

  function lost(): void {
    if (ended) return;
    status.down(Date.now());
    presence.disconnected();
    clearTimeout(anew);
    // The library tries again by itself, but not where the server ended or refused it.
    if (!socket.active) anew = setTimeout(() => socket.connect(), anewMs);
  }

  async function watch(): Promise<void> {
    const { id } = socket;
    const answer: unknown = await socket
      .timeout(answerMs)
      .emitWithAck("watch", { desks: "all" })
      .catch(() => undefined);
    if (ended || socket.id !== id || !socket.connected) return;
    const watched = watchedSchema.safeParse(answer);
    if (!watched.success || "error" in watched.data) {
      socket.disconnect();
      return;
    }
    const { position } = watched.data.heads;
    presence.connected(id, (requestId) => {
      socket.timeout(answerMs).emit("looking", { requestId }, () => {});
    });
    timeline.connected(position);
    snapshots.connected(position);
    status.up();
  }

  socket.on("connect", () => void watch());
  socket.on("disconnect", lost);
  socket.on("connect_error", lost);
  socket.on("event", (given) => {
    const event = liveEventSchema.safeParse(given);
    if (!event.success) return;
    timeline.take(event.data);
    snapshots.take(event.data);
  });
  socket.on("heads", (given) => {
    const heads = headsSchema.safeParse(given);
    if (!heads.success) return;
    timeline.noteHead(heads.data.position);
    snapshots.resume();
  });
  socket.on("presence", (given) => {
    const people = presenceSchema.safeParse(given);
    if (people.success) presence.take(people.data);
  });
  socket.connect();

  return () => {
    ended = true;
    clearTimeout(anew);
    socket.disconnect();
  };
}

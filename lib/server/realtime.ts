import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type DefaultEventsMap, Server, type Socket } from "socket.io";
import type { EventBus } from "#lib/core/event-bus.ts";
import type { Clock } from "#lib/core/ports/clock.ts";
import type { Log } from "#lib/core/ports/log.ts";
import { limits } from "#lib/protocol/limits.ts";
import {
  type ClientToServer,
  headsEveryMs,
  lookingSchema,
  type ServerToClient,
  socketPath,
  type Watch,
  watchSchema,
} from "#lib/protocol/socket.ts";
import type { Settings } from "./env.ts";
import { liveEvent } from "./live-event.ts";
import { checkHost, checkSocketOrigin } from "./origins.ts";
import { PresenceBoard } from "./presence-board.ts";
import type { RecordHeads } from "./record-heads.ts";
import { repeating } from "./repeating.ts";
import type { Person } from "./services.ts";
import { answering } from "./socket-answers.ts";

interface SocketData {
  person: Person;
  watch: Watch["desks"] | null;
}

type LiveServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
type LiveSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;

/** What it needs of the runtime. */
export interface RealtimeParts {
  settings: Pick<Settings, "publicUrl" | "host" | "port" | "operatorName">;
  log: Log;
  clock: Clock;
  bus: EventBus;
  heads: RecordHeads;
}

/** The sockets of the process. */
export interface Realtime {
  /** Whether an upgrade is for it. */
  owns(request: IncomingMessage): boolean;
  /** Takes over the connection of an upgrade that it owns. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes every socket, and takes no more. */
  close(): Promise<void>;
}

/** A dead connection is noticed within the sum of the two. */
const heartbeat = { pingInterval: 5_000, pingTimeout: 10_000 } as const;
/** A client that leaves so many packets unread is cut off: it catches up over HTTP. */
const mostUnread = 2_000;
const presenceEveryMs = 50;
const everyDesk = "all";
const watchers = "watchers";
const roomOf = (desk: string) => `desk:${desk}`;

/** Starts the live stream: one subscription to the bus for the whole process, however many sockets there are. */
export function startRealtime({ settings, log, clock, bus, heads }: RealtimeParts): Realtime {
  // Engine.IO attaches itself to the upgrades of a server. This one never listens: upgrades come from ours.
  const upgrades = createServer();
  const io: LiveServer = new Server(upgrades, {
    ...heartbeat,
    path: socketPath,
    transports: ["websocket"],
    serveClient: false,
    destroyUpgrade: false,
    maxHttpBufferSize: limits.socketMessageBytes,
    allowRequest(request, decide) {
      try {
        checkHost(request.headers.host, settings);
        checkSocketOrigin(request.headers.origin, settings);
        decide(null, true);
      } catch (error) {
        decide(error instanceof Error ? error.message : null, false);
      }
    },
  });
  const presence = new PresenceBoard();
  let announcing: (() => void) | null = null;

  /** Tells everyone, but not more often than people can see. */
  function announcePresence(): void {
    announcing ??= clock.after(presenceEveryMs, () => {
      announcing = null;
      io.to(watchers).emit("presence", presence.view());
    });
  }

  function look(socket: LiveSocket, requestId: string | null): void {
    if (presence.set(socket.id, socket.data.person.name, requestId)) announcePresence();
  }

  async function watch(socket: LiveSocket, desks: Watch["desks"]): Promise<void> {
    const wanted = [watchers, ...(desks === "all" ? [everyDesk] : desks.map(roomOf))];
    // Joined before the heads are read and before the others are left, so that no event falls between them.
    await socket.join(wanted);
    for (const room of socket.rooms) if (room !== socket.id && !wanted.includes(room)) await socket.leave(room);
    socket.data.watch = desks;
  }

  io.use((socket, next) => {
    socket.data.person = { name: settings.operatorName };
    socket.data.watch = null;
    next();
  });
  io.on("connection", (socket: LiveSocket) => {
    socket.on(
      "watch",
      answering(watchSchema, log, async ({ desks }) => {
        await watch(socket, desks);
        socket.emit("presence", presence.view());
        return { heads: heads.of(desks) };
      }),
    );
    socket.on(
      "looking",
      answering(lookingSchema, log, ({ requestId }) => {
        look(socket, requestId);
        return { ok: true as const };
      }),
    );
    socket.on("disconnect", () => look(socket, null));
  });

  const unsubscribe = bus.subscribe((event) => {
    io.to([everyDesk, roomOf(event.deskName)]).emit("event", liveEvent(event));
  });

  async function sendHeads(): Promise<void> {
    for (const socket of io.of("/").sockets.values()) {
      if (unreadOf(socket) > mostUnread) socket.conn.close(true);
      else if (socket.data.watch !== null) socket.emit("heads", heads.of(socket.data.watch));
    }
  }
  const onError = (error: unknown) => log.error({ err: error }, "the heads could not be sent");
  const endHeads = repeating(clock, headsEveryMs, sendHeads, onError);

  return {
    owns: ({ url = "" }) => url.split("?")[0] === `${socketPath}/`,
    upgrade(request, socket, head) {
      if (!upgrades.emit("upgrade", request, socket, head)) socket.destroy();
    },
    async close() {
      unsubscribe();
      endHeads();
      announcing?.();
      await io.close();
      upgrades.removeAllListeners("upgrade");
    },
  };
}

function unreadOf(socket: LiveSocket): number {
  return (socket.conn as unknown as { writeBuffer: readonly unknown[] }).writeBuffer.length;
}

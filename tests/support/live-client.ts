import { io, type ManagerOptions, type Socket, type SocketOptions } from "socket.io-client";
import {
  type ClientToServer,
  type LiveEvent,
  type ServerToClient,
  socketPath,
  type Watch,
  type Watched,
} from "#lib/protocol/socket.ts";

/** A socket as a page has it. */
export type LiveClient = Socket<ServerToClient, ClientToServer>;

/** Opens a socket; it is closed by `using`, or by hand. */
export function liveClient(url: string, options: Partial<ManagerOptions & SocketOptions> = {}): LiveClient {
  return io(url, {
    path: socketPath,
    transports: ["websocket"],
    forceNew: true,
    reconnectionDelay: 20,
    reconnectionDelayMax: 50,
    extraHeaders: { origin: url },
    ...options,
  });
}

/** What a connection ends in: `connected`, or the words of its refusal. */
export async function outcomeOf(client: LiveClient): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  client.once("connect", () => resolve("connected"));
  client.once("connect_error", (error) => resolve(`refused: ${error.message}`));
  const outcome = await promise;
  client.disconnect();
  return outcome;
}

/** Watches, and waits for the acknowledgement. */
export async function watch(client: LiveClient, desks: Watch["desks"]): Promise<Watched> {
  return client.timeout(10_000).emitWithAck("watch", { desks });
}

/** Keeps what a socket brings. */
export function collect(client: LiveClient): LiveEvent[] {
  const events: LiveEvent[] = [];
  client.on("event", (event) => events.push(event));
  return events;
}

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { EventBus } from "#lib/core/event-bus.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import { startRealtime, type Realtime } from "#lib/server/realtime.ts";
import { RecordHeads } from "#lib/server/record-heads.ts";
import { systemClock } from "#lib/server/system-clock.ts";
import { type LiveClient, liveClient } from "./live-client.ts";

const log = { info() {}, warn() {}, error() {} };

/** The sockets alone, on a port of their own, with a bus that the test publishes on. */
export class LiveStand {
  readonly url: string;
  readonly bus: EventBus;
  readonly heads: RecordHeads;
  readonly realtime: Realtime;
  readonly #server: Server;
  readonly #clients: LiveClient[] = [];
  readonly #seqs = new Map<string, number>();
  #position = 0;
  /** How many listen to the bus. */
  listeners = 0;

  private constructor(server: Server, port: number, bus: EventBus, heads: RecordHeads) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    this.bus = bus;
    this.heads = heads;
    const subscribe = bus.subscribe.bind(bus);
    bus.subscribe = (listener) => {
      this.listeners += 1;
      const end = subscribe(listener);
      return () => {
        this.listeners -= 1;
        end();
      };
    };
    const settings = { publicUrl: this.url, host: "127.0.0.1", port, operatorName: "ann" } as const;
    this.realtime = startRealtime({ settings, log, clock: systemClock, bus, heads });
    server.on("upgrade", (request, socket, head) => {
      if (this.realtime.owns(request)) this.realtime.upgrade(request, socket, head);
      else socket.destroy();
    });
  }

  static async start(): Promise<LiveStand> {
    const server = createServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    const bus = new EventBus(log);
    const heads = await RecordHeads.follow({ heads: () => Promise.resolve([]) }, bus);
    return new LiveStand(server, (server.address() as AddressInfo).port, bus, heads);
  }

  open(options: Parameters<typeof liveClient>[1] = {}): LiveClient {
    const client = liveClient(this.url, options);
    this.#clients.push(client);
    return client;
  }

  /** Publishes a message of a desk, as if it had just been committed. */
  say(deskName: string, text: string): DeskEvent {
    const seq = (this.#seqs.get(deskName) ?? 0) + 1;
    this.#seqs.set(deskName, seq);
    this.#position += 1;
    const event: DeskEvent = {
      position: this.#position,
      deskName,
      seq,
      kind: "message",
      at: "2026-10-01T09:00:00.000Z",
      triggerId: null,
      payload: { from: "desk", name: deskName, text },
      previousHash: "",
      hash: String(this.#position),
    };
    this.bus.publish([event]);
    return event;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.disconnect();
    await this.realtime.close();
    this.#server.close();
  }
}

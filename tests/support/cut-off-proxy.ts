import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";

/** A line to a server that a test can cut: whoever is connected is cut off, and nobody gets through until it is mended. */
export class CutOffProxy {
  readonly port: number;
  readonly url: string;
  /** The port of the server behind it. */
  target = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.port}`;
    server.on("connection", (socket) => this.#join(socket));
  }

  static async start(): Promise<CutOffProxy> {
    const server = createServer();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    return new CutOffProxy(server);
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(socket: Socket): void {
    if (this.#isCut) return void socket.destroy();
    const onward = connect(this.target, "127.0.0.1");
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => one.destroy());
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    socket.pipe(onward).pipe(socket);
  }
}

import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import next from "next";
import type { Log } from "#lib/core/ports/log.ts";
import { admit } from "./admit.ts";
import { pageHeaders } from "./answer-headers.ts";
import { contentPolicy, createNonce } from "./content-policy.ts";
import type { Settings } from "./env.ts";
import { endAfterAnswer, refuseBytes, sendError } from "./http-answers.ts";
import { checkHost } from "./origins.ts";
import type { Realtime } from "./realtime.ts";
import { StartError } from "./start-error.ts";

const timeouts = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;

/** The one HTTP server: pages and doors on one port. */
export interface HttpServer {
  /**
   * Takes requests and sockets from now on.
   * @throws StartError where the port is not to be had.
   */
  listen(realtime: Realtime): Promise<void>;
  /** Takes no more connections, closes the sockets, and resolves when each request under way has its answer. */
  close(): Promise<void>;
  /** Ends the connections that are left. */
  closeNow(): Promise<void>;
}

/**
 * Makes the HTTP server, with Next behind it.
 * @param dir the folder of package.json.
 * @throws StartError where the pages are not built.
 */
export async function createHttpServer(settings: Settings, log: Log, dir: string): Promise<HttpServer> {
  const { development: dev, host: hostname, port } = settings;
  if (!dev && !existsSync(join(dir, ".next", "BUILD_ID"))) {
    throw new StartError("The pages are not built yet. `npm start` builds them before it starts the server.");
  }
  // Next attaches itself to the upgrades of the server that it is given, and ends those that it does not know. This one
  // never listens: upgrades come from ours.
  const upgrades = createServer();
  const pages = next({ dev, dir, hostname, port, httpServer: upgrades });
  await pages.prepare();
  const handle = pages.getRequestHandler();

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    void serve(request, response).catch((error: unknown) => sendError(request, response, error, log));
  };
  let sockets: Realtime | undefined;
  const server = createServer({ ...timeouts, maxHeaderSize: 16 * 1024 }, answer);
  // An `Expect` that Node does not know is no reason to refuse.
  server.on("checkExpectation", answer);
  server.on("clientError", refuseBytes);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (sockets?.owns(request)) return sockets.upgrade(request, socket, head);
    if (dev && isOwnHost(request) && upgrades.emit("upgrade", request, socket, head)) return;
    return socket.destroy();
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    endAfterAnswer(request, response);
    const what = admit(request, settings);
    delete request.headers["x-forwarded-host"];
    if (what === "page") guardPage(request, response, dev);
    else dropNextHeaders(request);
    await handle(request, response);
  }

  function isOwnHost(request: IncomingMessage): boolean {
    try {
      checkHost(request.headers.host, settings);
      return true;
    } catch {
      return false;
    }
  }

  return {
    async listen(realtime) {
      sockets = realtime;
      await listen(server, settings);
    },
    async close() {
      const closed = close(server);
      await sockets?.close();
      await closed;
    },
    closeNow: async () => {
      server.closeAllConnections();
      await pages.close();
    },
  };
}

/** Headers by which Next's own client asks for pages; on a door they would turn the answer into a redirect. */
function dropNextHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) {
    if (/^(rsc$|next-|x-nextjs-|x-middleware-|x-invoke-|x-matched-path$)/.test(name)) delete headers[name];
  }
}

function guardPage(request: IncomingMessage, response: ServerResponse, development: boolean): void {
  const policy = contentPolicy(createNonce(), development);
  request.headers["content-security-policy"] = policy;
  response.setHeaders(new Map(Object.entries({ ...pageHeaders, "content-security-policy": policy })));
}

async function listen(server: Server, { host, port }: Settings): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const other = port < 65_000 ? port + 1 : port - 1;
    const advice = `Set PORT to another one, such as PORT=${other}.`;
    if (code === "EADDRINUSE") throw new StartError(`Port ${port} on ${host} is taken by another program. ${advice}`);
    if (code === "EACCES") throw new StartError(`Port ${port} on ${host} may not be used by this user. ${advice}`);
    throw error;
  }
}

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // A connection that was in use becomes idle with its answer, and would be kept for the next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await promise;
  clearInterval(sweep);
}

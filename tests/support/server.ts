import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

export interface ServerOptions {
  /** Whether an empty database gets the demonstration desks; not, where absent. */
  demo?: boolean;
  /** A folder that is kept; a fresh one that is removed with the server, where absent. */
  dataDir?: string;
  port?: number;
  /** What is started in the place of `server.ts`, by its path in the project; see `desk-server.ts`. */
  entry?: string;
  /** More settings. */
  env?: Readonly<Record<string, string>>;
}

/** The built server as a process of its own. */
export interface TestServer {
  /** Its origin, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  /** Everything that it has written so far. */
  output(): string;
  /** The lines of its log of this level, parsed. */
  logged(level: "info" | "warn" | "error"): Record<string, unknown>[];
  /** Asks it to stop, as a person does with Ctrl+C. @returns its exit code. */
  stop(): Promise<number | null>;
  /** Ends it without a word. */
  kill(): Promise<void>;
}

/** The server ended before it was ready. */
export class ServerDidNotStart extends Error {
  readonly exitCode: number | null;
  readonly output: string;

  constructor(exitCode: number | null, output: string) {
    super(`the server ended with ${exitCode} before it was ready:\n${output}`);
    this.exitCode = exitCode;
    this.output = output;
  }
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  const { promise, resolve: listening } = Promise.withResolvers<void>();
  probe.listen(0, "127.0.0.1", listening);
  await promise;
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

/**
 * Starts the built server and waits until it says where it is.
 * @throws ServerDidNotStart
 */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const port = options.port ?? (await freePort());
  const ownDir = options.dataDir === undefined;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "deskboard-server-")));
  const child = spawn(process.execPath, [options.entry ?? "server.ts"], {
    cwd: root,
    // Nothing of the settings of whoever runs the tests.
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      DATA_DIR: dataDir,
      DESKBOARD_DEMO: options.demo ? "1" : "0",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const { promise: ready, resolve: isReady, reject: failed } = Promise.withResolvers<void>();
  const take = (text: string) => {
    output += text;
    if (output.includes("Deskboard is at ")) isReady();
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  const ended = new Promise<number | null>((done) => child.once("close", done));
  const removeData = () => (ownDir ? rm(dataDir, { recursive: true, force: true }) : undefined);
  const failing = ended.then((code) => failed(new ServerDidNotStart(code, output)));
  try {
    await ready;
  } catch (error) {
    await failing;
    await removeData();
    throw error;
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null) child.kill(signal);
    const code = await ended;
    await removeData();
    return code;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    process: child,
    ended,
    output: () => output,
    logged: (level) => logLines(output).filter((line) => line["level"] === level),
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}

function logLines(output: string): Record<string, unknown>[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

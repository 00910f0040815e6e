import { consoleToLog } from "./console-to-log.ts";
import { readProcessSettings } from "./env.ts";
import { startFailure } from "./fail-start.ts";
import { createHttpServer } from "./http-server.ts";
import { createLog } from "./log.ts";
import { startRealtime } from "./realtime.ts";
import { publishRuntime } from "./runtime-handle.ts";
import { startRuntime, type RuntimeParts } from "./runtime.ts";
import { stopSignal, within } from "./stop-signal.ts";

/** How long a stop waits: for answers that are under way, and for the tool that is running. */
const bounds = { answersMs: 3_000, runtimeMs: 30_000 };

/**
 * The whole life of the server process: it starts, says where it is, and ends at the first SIGINT or SIGTERM.
 * @param dir the folder of package.json.
 */
export async function runServer(dir: string, parts: RuntimeParts = {}): Promise<never> {
  try {
    await serveUntilStopped(dir, parts);
    process.exit(0);
  } catch (error) {
    process.stderr.write(startFailure(error));
    process.exit(1);
  }
}

async function serveUntilStopped(dir: string, parts: RuntimeParts): Promise<void> {
  const settings = readProcessSettings();
  const log = createLog(settings);
  if (!settings.development) consoleToLog(log);
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "ended by a bug; what was under way is recovered at the next start");
    process.exit(1);
  });
  const server = await createHttpServer(settings, log, dir);
  // Owns the data, migrates and recovers: nobody is let in before that is done.
  const runtime = await startRuntime(settings, log, parts);
  publishRuntime(runtime);
  const stopped = stopSignal();
  try {
    await server.listen(startRealtime(runtime));
  } catch (error) {
    await runtime.stop();
    throw error;
  }
  process.stdout.write(`Deskboard is at ${settings.publicUrl}\n`);

  const signal = await stopped;
  log.info({ signal }, "stopping; again to end at once");
  await within(bounds.answersMs, server.close());
  if (!(await within(bounds.runtimeMs, runtime.stop()))) {
    log.warn({ waitedMs: bounds.runtimeMs }, "something still runs; it is recovered at the next start");
  }
  await within(bounds.answersMs, server.closeNow());
}

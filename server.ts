import { readProcessSettings } from "#lib/server/env.ts";
import { startFailure } from "#lib/server/fail-start.ts";
import { createHttpServer } from "#lib/server/http-server.ts";
import { createLog } from "#lib/server/log.ts";
import { publishRuntime } from "#lib/server/runtime-handle.ts";
import { startRuntime } from "#lib/server/runtime.ts";
import { stopSignal, within } from "#lib/server/stop-signal.ts";

/** How long a stop waits: for answers that are under way, and for the tool that is running. */
const bounds = { answersMs: 3_000, runtimeMs: 30_000 };

async function run(): Promise<void> {
  const settings = readProcessSettings();
  const log = createLog(settings);
  const server = await createHttpServer(settings, log, import.meta.dirname);
  // Owns the data, migrates and recovers: nobody is let in before that is done.
  const runtime = await startRuntime(settings, log);
  publishRuntime(runtime);
  const stopped = stopSignal();
  try {
    await server.listen();
  } catch (error) {
    await runtime.stop();
    throw error;
  }
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "ended by a bug; what was under way is recovered at the next start");
    process.exit(1);
  });
  process.stdout.write(`Deskboard is at ${settings.publicUrl}\n`);

  const signal = await stopped;
  log.info({ signal }, "stopping; again to end at once");
  await within(bounds.answersMs, server.close());
  if (!(await within(bounds.runtimeMs, runtime.stop()))) {
    log.warn({ waitedMs: bounds.runtimeMs }, "something still runs; it is recovered at the next start");
  }
  await within(bounds.answersMs, server.closeNow());
}

try {
  await run();
  process.exit(0);
} catch (error) {
  process.stderr.write(startFailure(error));
  process.exit(1);
}

import { runServer } from "#lib/server/run-server.ts";

await runServer(import.meta.dirname);

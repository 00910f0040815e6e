import { resolve } from "node:path";
import { z } from "zod";
import type { Backend } from "#lib/core/ports/backend.ts";
import { runServer } from "#lib/server/run-server.ts";

const asks = z.array(z.object({ name: z.string(), arguments: z.unknown().optional() }));

/** A playbook that makes the calls which a message lists as JSON, one after another, and takes other words as words. */
const told: Backend = {
  name: "playbook:told",
  async run(turn) {
    const { kind, text } = turn.trigger;
    if (kind !== "message" || !text.startsWith("[")) return;
    for (const ask of asks.parse(JSON.parse(text))) await turn.call(ask);
  },
};

// The server as it is, with one more backend: a test decides over HTTP what a desk does.
await runServer(resolve(import.meta.dirname, "../.."), {
  backends: (standard) => new Map([...standard, [told.name, told]]),
});

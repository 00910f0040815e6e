// The real server with one more playbook and one more toolset, so that a test can have any request it wants through the
// real doors. Not part of the product.
import { resolve } from "node:path";
import { runServer } from "#lib/server/run-server.ts";
import { drillPlaybook } from "./drill-playbook.ts";
import { drillToolset } from "./drill-toolset.ts";

await runServer(resolve(import.meta.dirname, "../../.."), {
  backends: (standard) => new Map([...standard, [drillPlaybook.name, drillPlaybook]]),
  toolsets: (standard) => new Map([...standard, [drillToolset.name, drillToolset]]),
});

import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { defineTool, workOf, type Tool } from "#lib/core/tool.ts";
import type { CrashPoints } from "./crash-points.ts";

/** What a tool did in the world, as seen from outside of the database. */
export interface WitnessLine {
  did: "started" | "worked";
  tool: string;
  key: string;
  callId: string;
  outcome?: string;
}

const fileIn = (folder: string) => join(folder, "witness.jsonl");

/** Appends a line and forces it onto the disk. */
function testify(folder: string, line: WitnessLine): void {
  const file = openSync(fileIn(folder), "a");
  writeSync(file, `${JSON.stringify(line)}\n`);
  fsyncSync(file);
  closeSync(file);
}

/** All that was witnessed in a folder, oldest first. */
export function readWitness(folder: string): WitnessLine[] {
  const text = readFileSync(fileIn(folder), { encoding: "utf8", flag: "a+" });
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as WitnessLine);
}

/** The same tool, to the letter of its definition; whenever it is entered and whenever its work is done is witnessed. */
export function witnessedTool(tool: Tool, folder: string, points: CrashPoints): Tool {
  const work = workOf(tool);
  if (!work) return tool;
  const { name, description, effect, parameters, timeoutMs, defaultVerdict, facts, ticket, lookUp, identifiedBy } =
    tool;
  return defineTool({
    name,
    description,
    effect,
    parameters,
    timeoutMs,
    ...(defaultVerdict && { defaultVerdict }),
    ...(facts && { facts }),
    ...(ticket && { ticket }),
    ...(lookUp && { lookUp }),
    ...(identifiedBy && { identifiedBy: [...identifiedBy] }),
    async run(args, context) {
      const line = { tool: name, key: context.idempotencyKey, callId: context.callId };
      testify(folder, { did: "started", ...line });
      await points.reach(`start:${name}`);
      const result = await work(args as Parameters<typeof work>[0], context);
      testify(folder, { did: "worked", ...line, outcome: result.outcome });
      await points.reach(`done:${name}`);
      return result;
    },
  });
}

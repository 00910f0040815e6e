import { z } from "zod";
import type { JsonObject } from "#lib/protocol/json.ts";
import type { Effect, Outcome, Verdict } from "#lib/protocol/states.ts";
import type { Ticket } from "#lib/protocol/ticket.ts";
import type { PictureRow } from "./record.ts";
import type { QuestionDraft } from "./question-draft.ts";

/** What a tool gives back. `isError` is for the model; `outcome` is for the record and for people. */
export interface ToolResult {
  text: string;
  isError: boolean;
  /** For a `write`: whether it took effect. A `read` is `done` or `notDone`. */
  outcome: Outcome;
  picture?: Pick<PictureRow, "type" | "bytes">;
}

/** The work was done. */
export function done(text: string, picture?: ToolResult["picture"]): ToolResult {
  return { text, isError: false, outcome: "done", ...(picture && { picture }) };
}

/** The work was not done, surely: a repeat is safe. */
export function notDone(text: string): ToolResult {
  return { text, isError: true, outcome: "notDone" };
}

/** What a tool knows of the call that it serves. */
export interface ToolContext {
  deskName: string;
  triggerId: string;
  callId: string;
  /** The same for each try of the same approved or repeated work. */
  idempotencyKey: string;
  /** Aborted by a stop and by the time-out. */
  signal: AbortSignal;
  log(message: string): void;
}

/** What a tool may compute about a call before it runs. */
export interface InspectContext {
  deskName: string;
  signal: AbortSignal;
}

/** What a look-up by an idempotency key found. */
export interface LookUpAnswer {
  found: boolean;
  text: string;
}

/** A tool as its author writes it. `parameters` is a strict object: unknown keys are refused by name. */
export interface ToolSpec<Parameters extends z.ZodObject> {
  /** `snake_case`, unique among the tools of a desk. */
  name: string;
  description: string;
  effect: Effect;
  /** Where no rule matches. Without it a `read` is allowed and a `write` is held. */
  defaultVerdict?: Verdict;
  parameters: Parameters;
  /** Which parameters identify a call; all, where absent. */
  identifiedBy?: readonly (keyof z.output<Parameters> & string)[];
  /** How long one run may take, in milliseconds; 30,000 where absent. */
  timeoutMs?: number;
  /** What rules may ask about this call, such as `{ reducesRisk: true }`. */
  facts?(args: z.output<Parameters>, context: InspectContext): Promise<JsonObject>;
  /** What the card shows above the arguments. */
  ticket?(args: z.output<Parameters>, context: InspectContext): Promise<Ticket>;
  /** Whether the work under this key was done. */
  lookUp?(idempotencyKey: string, context: InspectContext): Promise<LookUpAnswer>;
  /** Does the work. What it throws becomes an error result: `unknown` for a `write`, `notDone` for a `read`. */
  run(args: z.output<Parameters>, context: ToolContext): Promise<ToolResult>;
}

/** A tool that puts questions to people instead of running. It waits for a person whatever the rules allow. */
export interface AskSpec<Parameters extends z.ZodObject> {
  name: string;
  description: string;
  parameters: Parameters;
  ask(args: z.output<Parameters>): QuestionDraft[];
}

/** A tool as the executor sees it. Its work is private to the registry: `run` is not on it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly defaultVerdict: Verdict | undefined;
  readonly parameters: z.ZodObject;
  /** JSON Schema of the parameters as a caller gives them. */
  readonly jsonSchema: JsonObject;
  readonly identifiedBy: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly facts: ((args: JsonObject, context: InspectContext) => Promise<JsonObject>) | undefined;
  readonly ticket: ((args: JsonObject, context: InspectContext) => Promise<Ticket>) | undefined;
  readonly lookUp: ((key: string, context: InspectContext) => Promise<LookUpAnswer>) | undefined;
  readonly ask: ((args: JsonObject) => QuestionDraft[]) | undefined;
}

/** A named group of tools. */
export interface Toolset {
  readonly name: string;
  readonly tools: readonly Tool[];
}

type Run = (args: JsonObject, context: ToolContext) => Promise<ToolResult>;
const runs = new WeakMap<Tool, Run>();

/** The work behind a tool. Its only caller is the registry. */
export function workOf(tool: Tool): Run | undefined {
  return runs.get(tool);
}

const standardTimeoutMs = 30_000;

function schemaOf(name: string, parameters: z.ZodObject): JsonObject {
  const schema = z.toJSONSchema(parameters, { io: "input" }) as JsonObject;
  if (schema["additionalProperties"] !== false) {
    throw new TypeError(`tool ${name}: parameters must be a strict object (z.strictObject)`);
  }
  return schema;
}

/**
 * Defines a tool.
 * @throws TypeError where the name is not snake_case or the parameters are not a strict object.
 */
export function defineTool<P extends z.ZodObject>(spec: ToolSpec<P>): Tool {
  const tool: Tool = {
    name: checkedName(spec.name),
    description: spec.description,
    effect: spec.effect,
    defaultVerdict: spec.defaultVerdict,
    parameters: spec.parameters,
    jsonSchema: schemaOf(spec.name, spec.parameters),
    identifiedBy: spec.identifiedBy,
    timeoutMs: spec.timeoutMs ?? standardTimeoutMs,
    facts: spec.facts && ((args, context) => spec.facts!(args as z.output<P>, context)),
    ticket: spec.ticket && ((args, context) => spec.ticket!(args as z.output<P>, context)),
    lookUp: spec.lookUp?.bind(spec),
    ask: undefined,
  };
  runs.set(tool, (args, context) => spec.run(args as z.output<P>, context));
  return tool;
}

/** Defines a tool that asks people; see `AskSpec`. */
export function defineAskTool<P extends z.ZodObject>(spec: AskSpec<P>): Tool {
  return {
    name: checkedName(spec.name),
    description: spec.description,
    effect: "write",
    defaultVerdict: "allow",
    parameters: spec.parameters,
    jsonSchema: schemaOf(spec.name, spec.parameters),
    identifiedBy: undefined,
    timeoutMs: standardTimeoutMs,
    facts: undefined,
    ticket: undefined,
    lookUp: undefined,
    ask: (args) => spec.ask(args as z.output<P>),
  };
}

function checkedName(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    throw new TypeError(`tool name "${name}" must be snake_case of at most 64 characters`);
  }
  return name;
}

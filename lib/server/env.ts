import { join, resolve } from "node:path";
import { z } from "zod";
import { escapeControls } from "./escape-controls.ts";
import { StartError } from "./start-error.ts";

const loopbackHosts = ["127.0.0.1", "::1", "localhost"] as const;
const logLevels = ["debug", "info", "warn", "error", "fatal", "silent"] as const;

/** A number written as plain decimal digits, within bounds. */
function numeric(pattern: RegExp, least: number, most: number) {
  return z.string().regex(pattern).transform(Number).pipe(z.number().min(least).max(most));
}

/** An address such as `https://desks.example.org`, as its origin; a path, a query or credentials make it another thing. */
const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url && /^https?:$/.test(url.protocol) && (url.href === `${url.origin}/` || url.href === url.origin);
  if (plain) return url.origin;
  context.addIssue({ code: "custom", message: "not an origin" });
  return z.NEVER;
});

/** Every environment variable that Deskboard reads. `describe` says what is allowed, as an error quotes it. */
const variables = z.object({
  /** The port that it listens on, for pages, the API and, later, the sockets. */
  PORT: numeric(/^\d{1,5}$/, 1, 65_535)
    .default(3000)
    .describe("a whole number from 1 to 65535"),

  /** The address that it listens on. There are no accounts yet, so whoever reaches the port may decide: loopback only. */
  HOST: z
    .enum(loopbackHosts)
    .default("127.0.0.1")
    .describe("127.0.0.1, ::1 or localhost (there are no accounts yet, so it is served to this machine only)"),

  /** Where people reach it. Links, and the `Host` and `Origin` of each request, must match it. */
  PUBLIC_URL: origin.optional().describe("an origin such as https://desks.example.org, without path or credentials"),

  /** The folder of the embedded database and of everything else that must last. */
  DATA_DIR: z
    .string()
    .refine((text) => !text.includes("\0"))
    .default("./data")
    .describe("a folder's path"),

  /** The database: a SQLite file, `deskboard.db` in DATA_DIR where nothing is set. */
  DATABASE_URL: z
    .string()
    .regex(/^file:[^\0?#]+$/)
    .optional()
    .describe("file:<path> of a SQLite file (PostgreSQL is not supported yet)"),

  /** The name under which decisions are recorded, until there are accounts. */
  OPERATOR_NAME: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'-]{0,39}$/u)
    .default("operator")
    .describe("1 to 40 letters, digits, spaces and . _ ' -"),

  /** Whether an empty database gets the demonstration desks; 0 starts empty. */
  DESKBOARD_DEMO: z
    .enum(["0", "1"])
    .default("1")
    .transform((text) => text === "1")
    .describe("0 or 1"),

  /** How long a day of the replayed market takes, in seconds. */
  MARKET_DAY_SECONDS: numeric(/^\d{1,5}$/, 1, 86_400)
    .default(120)
    .describe("a whole number from 1 to 86400"),

  /** After how many minutes a hold that nobody decided expires. */
  HOLD_MINUTES: numeric(/^\d{1,5}(\.\d{1,3})?$/, 0.01, 10_080)
    .default(15)
    .describe("a number from 0.01 to 10080"),

  /** The key of the anchors. Without it, one is made in a file of mode 0600 in DATA_DIR. */
  ANCHOR_KEY: z.string().min(16).max(1000).optional().describe("16 to 1000 characters"),

  /** The least severe lines that the log shows. */
  LOG_LEVEL: z.enum(logLevels).default("info").describe(logLevels.join(", ")),

  /** Set by the launcher: `production` serves the built pages, everything else compiles them as they are asked for. */
  NODE_ENV: z.string().default("development").describe("production or development"),
});

type Variable = keyof typeof variables.shape;

/** Variables whose value no message may repeat. */
const unspoken = new Set<Variable>(["ANCHOR_KEY"]);

/** The settings of this process, explained in lib/server/env.ts. */
export interface Settings {
  readonly port: number;
  readonly host: (typeof loopbackHosts)[number];
  /** An origin, without a slash at its end. */
  readonly publicUrl: string;
  /** An absolute path. */
  readonly dataDir: string;
  /** `file:` and an absolute path. */
  readonly databaseUrl: string;
  readonly operatorName: string;
  readonly demo: boolean;
  readonly marketDaySeconds: number;
  readonly holdMinutes: number;
  /** Null: the file in `dataDir` has it. */
  readonly anchorKey: string | null;
  readonly logLevel: (typeof logLevels)[number];
  readonly development: boolean;
}

/** A host as it stands in a URL: an IPv6 address in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * Reads the settings. A variable that is empty counts as not set.
 * @throws StartError naming every wrong variable, what was given (never a key, nor an address that may hold a
 * password) and what is allowed.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = variables.safeParse(given);
  if (!parsed.success) throw wrongSettings(parsed.error, given);
  const { data } = parsed;
  const dataDir = resolve(data.DATA_DIR);
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL ?? new URL(`http://${urlHost(data.HOST)}:${data.PORT}`).origin,
    dataDir,
    databaseUrl: `file:${data.DATABASE_URL ? resolve(data.DATABASE_URL.slice("file:".length)) : join(dataDir, "deskboard.db")}`,
    operatorName: data.OPERATOR_NAME,
    demo: data.DESKBOARD_DEMO,
    marketDaySeconds: data.MARKET_DAY_SECONDS,
    holdMinutes: data.HOLD_MINUTES,
    anchorKey: data.ANCHOR_KEY ?? null,
    logLevel: data.LOG_LEVEL,
    development: data.NODE_ENV !== "production",
  };
}

/** The settings of the environment that this process was started in. */
export function readProcessSettings(): Settings {
  return readSettings(process.env);
}

function wrongSettings(error: z.ZodError, given: Readonly<Record<string, string | undefined>>): StartError {
  const names = new Set(error.issues.map((issue) => issue.path[0] as Variable));
  const lines = [...names].map((name) => {
    const allowed = variables.shape[name].description;
    return `${name} is ${shown(name, given[name])}. Allowed: ${allowed}.`;
  });
  return new StartError(lines.join("\n"));
}

function shown(name: Variable, value: string | undefined): string {
  if (value === undefined) return "missing";
  // An address may hold a password before its `@`, or in its query.
  const mayHoldSecret = unspoken.has(name) || (value.includes("://") && /[@?]/.test(value));
  if (mayHoldSecret) return `wrong (${value.length} characters, not repeated here)`;
  return escapeControls(JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value));
}

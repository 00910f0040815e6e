import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Child {
  process: ChildProcess;
  /** What it has said so far. */
  lines: string[];
  /** What it has said on its error output. */
  errors: string[];
  /** The first line that begins so, said already or later; rejects where it ends without. */
  line(beginning: string): Promise<string>;
  /** Resolves once it has said so many lines that begin so. */
  count(beginning: string, wanted: number): Promise<void>;
  /** Resolves once it has ended and all that it said is there. */
  ended: Promise<number | null>;
}

/** Starts a TypeScript file of this folder as a process; with `fileBlocks`, no file of it may grow beyond that. */
export function startChild(file: string, args: string[], options: { fileBlocks?: number } = {}): Child {
  const command = [process.execPath, fileURLToPath(new URL(file, import.meta.url)), ...args];
  const limited = ["sh", "-c", `trap '' XFSZ; ulimit -f ${options.fileBlocks}; exec "$@"`, "sh", ...command];
  const [program = "", ...rest] = options.fileBlocks === undefined ? command : limited;
  const child = spawn(program, rest, { stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  const errors: string[] = [];
  const listeners = new Set<() => void>();
  const reader = createInterface({ input: child.stdout });
  let hasEnded = false;
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const read = new Promise<void>((resolve) => reader.once("close", resolve));
  const ended = Promise.all([exited, read]).then(([code]) => {
    hasEnded = true;
    for (const listener of listeners) listener();
    return code;
  });
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  reader.on("line", (line) => {
    lines.push(line);
    for (const listener of listeners) listener();
  });

  const until = async <T>(find: () => T | undefined): Promise<T> =>
    await new Promise<T>((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined && !hasEnded) return;
        listeners.delete(look);
        if (found === undefined) reject(new Error(`The child ended: ${[...lines, ...errors].slice(-5).join(" | ")}`));
        else resolve(found);
      };
      listeners.add(look);
      look();
    });
  return {
    process: child,
    lines,
    errors,
    ended,
    line: (beginning) => until(() => lines.find((line) => line.startsWith(beginning))),
    count: async (beginning, wanted) => {
      await until(() => lines.filter((line) => line.startsWith(beginning)).length >= wanted || undefined);
    },
  };
}

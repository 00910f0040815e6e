import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testTools } from "#tests/support/test-tools.ts";

const root = join(import.meta.dirname, "../..");

/** The sources of the program, without comments, by their paths. */
function sources(): Map<string, string> {
  const folders = ["lib", "app", "components"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const files = [...folders, "server.ts"].filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith("lib/db/generated/"),
  );
  return new Map(files.map((file) => [file, withoutComments(readFileSync(join(root, file), "utf8"))]));
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

/** Where a pattern occurs, as `file: what`. */
function occurrences(pattern: RegExp, where: (file: string) => boolean = () => true): string[] {
  return [...sources()]
    .filter(([file]) => where(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(pattern)].map(([, what]) => `${file}: ${what?.replaceAll(/\s+/g, "")}`),
    )
    .toSorted();
}

describe("P1: no way leads to a tool but the executor's", () => {
  it("a registry's run has one caller, the executor's runner", () => {
    // Where a registry can be at hand, under whatever name. A new line here is a look at what it runs.
    const isNear = (file: string) => !/^lib\/(tools|db)\//.test(file);
    const run = /([\w#.$]+(?:\([^()]*\))?\s*(?:\?\.|\.)\s*run)\b/g;
    expect(occurrences(run, isNear)).toEqual([
      "lib/core/model-router.ts: backend.run",
      "lib/core/tool-call-executor.ts: this.#runner.run",
      "lib/core/tool-runner.ts: this.#registry.run",
      "lib/core/tool.ts: spec.run",
      "lib/core/turn-runner.ts: this.#router.run",
    ]);
    expect(occurrences(run).filter((found) => /registry/i.test(found))).toEqual([
      "lib/core/tool-runner.ts: this.#registry.run",
    ]);
    expect(occurrences(/(\[\s*["'`]run["'`]\s*\])/g)).toEqual([]);
    expect(occurrences(/(\{[^{}]*\brun\b[^{}:]*\}\s*=\s*[^;=]*registry)/gi)).toEqual([]);
  });

  it("the work behind a tool is taken out by the registry alone, and the runner is made by the executor alone", () => {
    expect(occurrences(/\b(workOf)\b/g).map((found) => found.split(":")[0])).toEqual([
      "lib/core/tool-registry.ts",
      "lib/core/tool-registry.ts",
      "lib/core/tool.ts",
    ]);
    expect(occurrences(/\bnew (ToolRunner)\b/g)).toEqual(["lib/core/tool-call-executor.ts: ToolRunner"]);
    expect(occurrences(/["'][^"']*\/(tool-runner)\.ts["']/g)).toEqual(["lib/core/tool-call-executor.ts: tool-runner"]);
  });

  it("no backend and no door takes hold of tools: only the runtime puts them together", () => {
    const isDoor = (file: string) => /^(lib\/backends|app|components|lib\/server)\//.test(file) || file === "server.ts";
    const tools = /["'](#lib\/tools\/[^"']+|[^"']*\/tools\/[^"']+)["']/g;
    const named = new Set(occurrences(tools, isDoor).map((found) => found.split(":")[0]));
    expect([...named]).toEqual(["lib/server/runtime-parts.ts"]);
    const registries = /["'][^"']*\/(tool-registry|incoming-calls)\.ts["']/g;
    expect(occurrences(registries, isDoor)).toEqual([]);
  });

  it("a tool that is handed about has nothing on it that does its work", () => {
    for (const tool of testTools().tools) {
      expect(tool).not.toHaveProperty("run");
      const callable = Object.entries(tool).filter(([, value]) => typeof value === "function");
      const names = callable
        .map(([name]) => name)
        .filter((name) => !["facts", "ticket", "lookUp", "ask"].includes(name));
      expect(names).toEqual([]);
    }
  });
});

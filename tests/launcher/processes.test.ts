import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** A launcher that runs the script under its Node and ends as that ends. */
const launcher = (script: string) => `
  import { exitCodeOf, forwardSignals, runNode } from "#scripts/launcher/processes.mjs";
  forwardSignals();
  process.exitCode = exitCodeOf(await runNode(["-e", ${JSON.stringify(script)}]));
`;

/** A server that says that it is ready, which signal it was sent, and ends with 7 when it has ended gracefully. */
const server = `
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {
    console.log(signal);
    setTimeout(() => process.exit(7), 200);
  });
  setInterval(() => {}, 1000);
  console.log("ready");
`;

function start(script: string, env: NodeJS.ProcessEnv = process.env): { child: ChildProcess; output: () => string } {
  const args = ["--input-type=module", "-e", script];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return { child, output: () => output };
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s reaches the server once, and its graceful end is waited for",
  async (signal) => {
    const { child, output } = start(launcher(server));
    await expect.poll(output, { timeout: 10_000 }).toBe("ready\n");
    child.kill(signal);
    child.kill(signal);
    expect(await once(child, "close")).toEqual([7, null]);
    expect(output()).toBe(`ready\n${signal}\n`);
  },
);

test("an npm that was killed takes the server with it", async () => {
  const npm = `
    import { spawn } from "node:child_process";
    spawn(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(launcher(server))}], { stdio: "inherit" });
  `;
  const { child, output } = start(npm, { ...process.env, npm_lifecycle_event: "start" });
  await expect.poll(output, { timeout: 10_000 }).toBe("ready\n");
  child.kill("SIGKILL");
  await expect.poll(output, { timeout: 10_000 }).toBe("ready\nSIGTERM\n");
});

test("what npm says of its own run does not reach what is started; what was set for npm does", async () => {
  const script = launcher("console.log(process.env.npm_config_registry, process.env.npm_config_prefix)");
  const set = { npm_config_registry: "https://registry.example", npm_config_prefix: "/elsewhere" };
  const { child, output } = start(script, { ...process.env, ...set });
  await once(child, "close");
  expect(output()).toBe("https://registry.example undefined\n");
});

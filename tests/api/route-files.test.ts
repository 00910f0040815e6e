import { glob } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { routes } from "#lib/protocol/routes.ts";

const root = resolve(import.meta.dirname, "../..");

/** `POST /api/desks/:desk/stop` for each method that a file under app/api exports. */
async function doorsOfFiles(): Promise<string[]> {
  const doors: string[] = [];
  for await (const file of glob("app/api/**/route.{ts,tsx,js,mjs}", { cwd: root })) {
    const path = `/${file.replace(/^app\//, "").replace(/\/route\.\w+$/, "")}`.replaceAll(/\[(\w+)\]/g, ":$1");
    const handlers = (await import(resolve(root, file))) as Record<string, unknown>;
    doors.push(...Object.keys(handlers).map((method) => `${method} ${path}`));
  }
  return doors.toSorted();
}

it("P14: each route of the list has its file, and each file is in the list", async () => {
  const listed = Object.values(routes).map((route) => `${route.method} ${route.path}`);
  expect(await doorsOfFiles()).toEqual(listed.toSorted());
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packagesMatch } from "#scripts/launcher/installed-packages.mjs";

let folder: string;
const locked = {
  "": { version: "0.1.0" },
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
  "node_modules/for-windows": { version: "1.0.0", integrity: "sha512-w", optional: true },
};

function lists(packages: object, installed?: object): void {
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  if (installed) {
    writeFileSync(join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages: installed }));
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deskboard-packages-"));
  mkdirSync(join(folder, "node_modules"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("what is installed matches but for optional packages of other platforms", () => {
  lists(locked, { "node_modules/a": locked["node_modules/a"] });
  expect(packagesMatch(folder)).toBe(true);
});

test("a missing list, a missing package, another version and another content do not match", () => {
  lists(locked);
  expect(packagesMatch(folder)).toBe(false);
  lists(locked, {});
  expect(packagesMatch(folder)).toBe(false);
  lists(locked, { "node_modules/a": { version: "1.0.1", integrity: "sha512-a" } });
  expect(packagesMatch(folder)).toBe(false);
  lists(locked, { "node_modules/a": { version: "1.0.0", integrity: "sha512-b" } });
  expect(packagesMatch(folder)).toBe(false);
});

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fingerprint } from "#scripts/launcher/fingerprint.mjs";

let folder: string;
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const now = () => fingerprint(folder, ["app", "public", "package.json"], ["app/made"]);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deskboard-fingerprint-"));
  mkdirSync(join(folder, "app/made"), { recursive: true });
  write("app/page.tsx", "one");
  write("package.json", "{}");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("only names and contents count, not times", () => {
  const before = now();
  utimesSync(join(folder, "app/page.tsx"), new Date(0), new Date(0));
  expect(now()).toBe(before);
  write("app/page.tsx", "two");
  expect(now()).not.toBe(before);
});

test("a new file, a new name and a moved border between two files make a difference", () => {
  const seen = [now()];
  write("app/a", "x");
  write("app/b", "yz");
  seen.push(now());
  write("app/a", "xy");
  write("app/b", "z");
  seen.push(now());
  rmSync(join(folder, "app/b"));
  write("app/c", "z");
  seen.push(now());
  expect(new Set(seen).size).toBe(4);
});

test("what is left out, and what is elsewhere, makes none", () => {
  const before = now();
  write("app/made/client.ts", "generated");
  write("README.md", "hello");
  expect(now()).toBe(before);
});

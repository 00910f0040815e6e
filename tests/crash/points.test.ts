import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { UnitName } from "#lib/core/ports/unit.ts";

const unitNames: Record<UnitName, true> = {
  call: true,
  refusal: true,
  hold: true,
  question: true,
  result: true,
  decision: true,
  void: true,
  expiry: true,
  approvedRun: true,
  approvedResult: true,
  answer: true,
  dismissal: true,
  resolution: true,
  settlement: true,
  trigger: true,
  turnStart: true,
  attemptStart: true,
  attemptEnd: true,
  backendFailed: true,
  turnEnd: true,
  message: true,
  stop: true,
  desk: true,
  cap: true,
  policy: true,
  recovery: true,
  paperOrder: true,
  note: true,
};

describe("the kill -9 suite", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
  const source = files.map((name) => readFileSync(`${import.meta.dirname}/${name}`, "utf8")).join("\n");

  it("P6: kills before each kind of unit is committed or in its middle, and when it is on disk", () => {
    const isMissing = (unit: string) => {
      const has = (place: string) => source.includes(`"${place}:${unit}#`);
      return !((has("before") || has("inside")) && has("after"));
    };
    expect(Object.keys(unitNames).filter(isMissing)).toEqual([]);
  });
});

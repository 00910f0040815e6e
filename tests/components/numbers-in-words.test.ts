import { expect, test } from "vitest";
import { movedBy } from "#components/requests/moved.ts";
import { clockOf, durationOf, timeOfDay } from "#components/times.ts";

test("times and durations are read in one form", () => {
  expect([clockOf(42), clockOf(842), clockOf(86_399), clockOf(-1)]).toEqual(["0:42", "14:02", "23:59:59", "0:00"]);
  expect([durationOf(38), durationOf(2_100), durationOf(65_000)]).toEqual(["38 ms", "2.1 s", "1:05"]);
  expect([timeOfDay("2026-09-08T14:02:11.000Z"), timeOfDay("soon")]).toEqual(["14:02:11", "--:--:--"]);
});

test("how far a value of a ticket went is a percentage where it can be one", () => {
  expect(movedBy("1.16045", "1.16012")).toBe("−0.03 %");
  expect(movedBy("232,080.00 USD", "232,312.08 USD")).toBe("+0.10 %");
  expect(movedBy("1.16", "1.16")).toBeNull();
  expect(movedBy("0.00 USD", "1.00 USD")).toBe("changed");
  expect(movedBy("1 USD", "1 EUR")).toBe("changed");
  expect(movedBy("400k → 200k", "300k → 100k")).toBe("changed");
});

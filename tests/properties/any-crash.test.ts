import * as fc from "fast-check";
import { it } from "vitest";
import { followUp, roughSequence } from "#tests/support/model-actions.ts";
import { expectSequenceKept } from "#tests/support/model-checks.ts";

it(
  "P2, P3, P4, P5, P6, P8, P15: killed at any commit, again in its recovery, or without a disk, nothing confirmed is lost and no write repeated",
  { timeout: 240_000 },
  async () => {
    await fc.assert(fc.asyncProperty(roughSequence, followUp, expectSequenceKept), {
      numRuns: 30,
      interruptAfterTimeLimit: 120_000,
    });
  },
);

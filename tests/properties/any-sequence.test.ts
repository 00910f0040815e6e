import * as fc from "fast-check";
import { it } from "vitest";
import { calmSequence, followUp } from "#tests/support/model-actions.ts";
import { expectSequenceKept } from "#tests/support/model-checks.ts";

it(
  "P3, P4, P5, P8, P9, P10, P13, P15: whatever people, models, tools and time do, and at once, each call and request ends as it may",
  { timeout: 240_000 },
  async () => {
    await fc.assert(fc.asyncProperty(calmSequence, followUp, expectSequenceKept), {
      numRuns: 30,
      interruptAfterTimeLimit: 120_000,
    });
  },
);

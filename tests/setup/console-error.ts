import { afterEach, beforeEach, vi } from "vitest";

// What is written to console.error is a fault that nobody handled (React, Next and Node report theirs there): it fails
// the test that caused it. A test that expects such output replaces the spy with its own.
let complaints: unknown[][] = [];

beforeEach(() => {
  complaints = [];
  vi.spyOn(console, "error").mockImplementation((...args: unknown[]) => {
    complaints.push(args);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  if (complaints.length > 0) throw new Error(`Written to console.error: ${complaints.map(String).join("; ")}`);
});

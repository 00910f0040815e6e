import { describe, expect, it } from "vitest";
import { AppError } from "#lib/core/app-error.ts";
import { startFailure } from "#lib/server/fail-start.ts";
import { StartError } from "#lib/server/start-error.ts";

describe("a failed start", () => {
  it("is told in readable lines without a stack where it is to be expected", () => {
    expect(startFailure(new StartError("PORT is wrong.\nHOST is wrong."))).toBe(
      "Deskboard cannot start.\n  PORT is wrong.\n  HOST is wrong.\n",
    );
    const owned = new AppError("record_unavailable", "./data is in use by process 12.");
    expect(startFailure(owned)).toBe("Deskboard cannot start.\n  ./data is in use by process 12.\n");
  });

  it("shows the stack of a bug", () => {
    expect(startFailure(new TypeError("oh"))).toMatch(/TypeError: oh\n\s+at /);
  });

  it("P16: hides passwords, and sends the terminal nothing that acts on it", () => {
    const text = startFailure(new StartError("postgresql://ann:s3cr3t@db failed \u001b[2J"));
    expect(text).not.toContain("s3cr3t");
    expect(text).toContain("\\u001b[2J");
  });
});

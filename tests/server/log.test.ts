import { describe, expect, it } from "vitest";
import { createLog } from "#lib/server/log.ts";

const anchorKey = 'a key with "quotes" in it';

function written(write: (log: ReturnType<typeof createLog>) => void, logLevel: "info" | "error" = "info"): string {
  let text = "";
  write(createLog({ logLevel, anchorKey }, (line) => (text += line)));
  return text;
}

describe("the log", () => {
  it("writes one JSON object a line", () => {
    const text = written((log) => log.info({ desk: "majors", line: "a\nb" }, "turn\nstarted"));
    expect(text.endsWith("\n")).toBe(true);
    expect(text.trimEnd()).not.toContain("\n");
    expect(JSON.parse(text)).toMatchObject({ level: "info", desk: "majors", line: "a\nb", msg: "turn\nstarted" });
  });

  it("P12: escapes what could act on a terminal, and stays the same JSON", () => {
    const nasty = "\u001b[2J\u009b31m\u007f\u202e\u200b\u2066\ufeff\u0007";
    const text = written((log) => log.warn({ nasty }, nasty));
    expect(text.trimEnd()).toMatch(/^[\u0020-\u007e]*$/);
    expect(JSON.parse(text)).toMatchObject({ nasty, msg: nasty });
  });

  it("P16: hides fields with a secret's name at any depth", () => {
    const text = written((log) =>
      log.info({ headers: { authorization: "Bearer s3cr3t", list: [{ apiKey: "s3cr3t" }] }, token: "s3cr3t" }, "x"),
    );
    expect(text).not.toContain("s3cr3t");
    expect(JSON.parse(text)).toMatchObject({ headers: { list: [{ apiKey: "[hidden]" }] } });
  });

  it("P16: hides the anchor key, tokens and passwords in any text, causes included", () => {
    const cause = new Error("postgresql://ann:s3cr3t@db/x refused Bearer s3cr3t.abc");
    const text = written((log) =>
      log.error({ err: new Error(`bad ${anchorKey}`, { cause }) }, "sk-s3cr3ts3cr3ts3cr3t"),
    );
    expect(text).not.toMatch(/s3cr3t|quotes/);
    expect(JSON.parse(text)).toMatchObject({ err: { message: "bad [hidden]", cause: { type: "Error" } } });
  });

  it("says nothing below its level", () => {
    expect(written((log) => log.info({}, "x"), "error")).toBe("");
  });

  it("cuts an error's text, and survives a cycle", () => {
    const cycle: Record<string, unknown> = {};
    cycle["me"] = cycle;
    const text = written((log) => log.error({ err: new Error("x".repeat(100_000)), cycle }, "x"));
    expect(text.length).toBeLessThan(20_000);
  });
});

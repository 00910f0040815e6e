import { describe, expect, it } from "vitest";
import { readSettings } from "#lib/server/env.ts";
import { StartError } from "#lib/server/start-error.ts";

function refusal(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error("the settings were accepted");
}

describe("settings", () => {
  it("have defaults that work on a laptop", () => {
    const settings = readSettings({ DATA_DIR: "/srv/desk" });
    expect(settings).toEqual({
      port: 3000,
      host: "127.0.0.1",
      publicUrl: "http://127.0.0.1:3000",
      dataDir: "/srv/desk",
      databaseUrl: "file:/srv/desk/deskboard.db",
      operatorName: "operator",
      demo: true,
      marketDaySeconds: 120,
      holdMinutes: 15,
      anchorKey: null,
      logLevel: "info",
      development: true,
    });
  });

  it("take what is given, and count an empty variable as not set", () => {
    const settings = readSettings({
      PORT: "4000",
      HOST: "::1",
      DESKBOARD_DEMO: "0",
      HOLD_MINUTES: "0.5",
      OPERATOR_NAME: " Ann O'Neil ",
      DATABASE_URL: "file:/srv/x.db",
      NODE_ENV: "production",
      LOG_LEVEL: "",
    });
    expect(settings).toMatchObject({
      port: 4000,
      publicUrl: "http://[::1]:4000",
      demo: false,
      holdMinutes: 0.5,
      operatorName: "Ann O'Neil",
      databaseUrl: "file:/srv/x.db",
      development: false,
      logLevel: "info",
    });
  });

  it("keep the public address as an origin", () => {
    expect(readSettings({ PUBLIC_URL: "https://Desks.example.org:443/" }).publicUrl).toBe("https://desks.example.org");
  });

  const wrong: [name: string, given: string, allowed: string][] = [
    ["PORT", "0", "65535"],
    ["PORT", "0x50", "65535"],
    ["PORT", "3000 ", "65535"],
    ["PORT", "70000", "65535"],
    ["HOST", "0.0.0.0", "no accounts yet"],
    ["HOST", "192.168.1.5", "127.0.0.1"],
    ["PUBLIC_URL", "desks.example.org", "https://"],
    ["PUBLIC_URL", "https://desks.example.org/path", "without path"],
    ["PUBLIC_URL", "javascript:alert(1)", "https://"],
    ["DATABASE_URL", "postgresql://localhost/desks", "not supported yet"],
    ["OPERATOR_NAME", "\u001b[31mred", "letters"],
    ["OPERATOR_NAME", "a".repeat(41), "40"],
    ["DESKBOARD_DEMO", "yes", "0 or 1"],
    ["MARKET_DAY_SECONDS", "0", "86400"],
    ["HOLD_MINUTES", "1e3", "10080"],
    ["HOLD_MINUTES", "-1", "10080"],
    ["LOG_LEVEL", "loud", "debug"],
  ];
  it.each(wrong)(
    "P14: %s=%j stops the start with its name, what was given and what is allowed",
    (name, given, allowed) => {
      const message = refusal({ [name]: given });
      expect(message).toMatch(new RegExp(`^${name} is "`));
      expect(message).toContain(JSON.stringify(given).slice(0, 20));
      expect(message).toContain(allowed);
    },
  );

  it("P14: all that is wrong is said at once", () => {
    const message = refusal({ PORT: "x", LOG_LEVEL: "y", HOLD_MINUTES: "z" });
    expect(message.split("\n").map((line) => line.split(" ")[0])).toEqual(["PORT", "HOLD_MINUTES", "LOG_LEVEL"]);
  });

  it("P16: a key or a password is not repeated in an error", () => {
    const message = refusal({
      ANCHOR_KEY: "hunter2hunter2x",
      DATABASE_URL: "postgresql://ann:hunter2@db/desks",
      PUBLIC_URL: "https://ann:hunter2@desks.example.org",
    });
    expect(message).not.toContain("hunter2");
    expect(message.split("\n")).toHaveLength(3);
  });

  it("P14: a wrong value cannot act on the terminal", () => {
    expect(refusal({ LOG_LEVEL: "\u009b31m\u202e" })).toContain("\\u009b31m\\u202e");
  });
});

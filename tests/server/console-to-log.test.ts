import { expect, it } from "vitest";
import { consoleToLog } from "#lib/server/console-to-log.ts";
import { createLog } from "#lib/server/log.ts";

it("P12, P16: what others print is escaped, free of secrets and on one line, by its level", () => {
  let text = "";
  const log = createLog({ logLevel: "info", anchorKey: "hunter2hunter2hunter2" }, (line) => (text += line));
  const printer = { ...console };
  consoleToLog(log, printer);
  printer.error("\u001b[31m⨯\u001b[39m %s\n\u009b2J", "hunter2hunter2hunter2", new Error("oh"));
  printer.log("✓ ready");
  const lines = text.trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  for (const never of ["hunter2", "\u001b", "\u009b"]) expect(text).not.toContain(never);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "error",
    from: "console",
    msg: expect.stringContaining("⨯ [hidden]"),
  });
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ level: "info", msg: "✓ ready" });
});

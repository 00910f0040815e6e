import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { readSettings } from "#lib/server/env.ts";
import { pictureResponse } from "#lib/server/picture-response.ts";
import { startRuntime } from "#lib/server/runtime.ts";
import { keptLog } from "#tests/support/record.ts";

test("the first desk shows a chart before it asks for its order, and the door of pictures gives it", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "deskboard-test-"));
  const runtime = await startRuntime(readSettings({ DATA_DIR: dataDir }), keptLog());
  try {
    const asked = Promise.withResolvers<void>();
    const shown: string[] = [];
    runtime.bus.subscribe((event) => {
      if (event.kind === "tool_result" && event.payload.picturePath) shown.push(event.payload.picturePath);
      if (event.kind === "tool_call" && event.payload.name === "place_order") asked.resolve();
    });
    await asked.promise;
    expect(shown).toHaveLength(1);
    const id = shown[0]?.replace("/api/pictures/", "") ?? "";
    const response = pictureResponse(await runtime.services.readPicture(id));
    expect(response.headers.get("content-type")).toBe("image/png");
    const bytes = await response.bytes();
    expect(new TextDecoder("latin1").decode(bytes.slice(1, 4))).toBe("PNG");
    expect(bytes.length).toBeLessThan(limits.pictureBytes);
  } finally {
    await runtime.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 60_000);

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { CallAnswer } from "#lib/core/ports/backend.ts";
import { defineTool, done, type ToolResult } from "#lib/core/tool.ts";
import { limits } from "#lib/protocol/limits.ts";
import { call, type Expected } from "#tests/support/scripted-backend.ts";
import { openTestDesk, type TestDesk } from "#tests/support/desk.ts";
import { manualClock, type ManualClock } from "#tests/support/manual-clock.ts";
import { expectOneResultEach } from "./one-result.ts";

let desk: TestDesk;
let clock: ManualClock;
/** What the tools `look_up` (read) and `transfer` (write, allowed) give next. */
let next: () => Promise<unknown>;

beforeEach(async () => {
  const run = async () => (await next()) as ToolResult;
  const parameters = z.strictObject({ n: z.number().default(0) });
  const look = defineTool({ name: "look_up", description: "", effect: "read", parameters, run });
  const transfer = defineTool({
    name: "transfer",
    description: "",
    effect: "write",
    defaultVerdict: "allow",
    parameters,
    run,
  });
  clock = manualClock();
  desk = await openTestDesk({ clock, tools: [look, transfer] });
});

afterEach(async () => {
  desk.backend.assertDone();
  await expectOneResultEach(desk);
  await desk.remove();
});

/** One call of the tool that gives this. */
async function resultOf(tool: "look_up" | "transfer", result: () => Promise<unknown>): Promise<CallAnswer> {
  next = result;
  let answer: CallAnswer | undefined;
  const keep: Expected = (got) => {
    answer = got;
  };
  desk.backend.turn(call(tool, {}, keep));
  await desk.turn();
  if (!answer) throw new Error("the call was not answered");
  return answer;
}

const picture = (type: string, bytes: number[] | Uint8Array) => async () => ({
  text: "a chart",
  isError: false,
  outcome: "done",
  picture: { type, bytes: Uint8Array.from(bytes) },
});
const ascii = (text: string) => [...new TextEncoder().encode(text)];
const png = [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a, 0];

describe("a result's picture", () => {
  it.each([
    ["image/png", png],
    ["image/jpeg", [0xff, 0xd8, 0xff, 0xe0]],
    ["image/webp", ascii("RIFF0000WEBPVP8 ")],
  ])("that is %s by its bytes is kept, and reached by its id alone", async (type, bytes) => {
    const answer = await resultOf("look_up", picture(type, bytes));
    expect(answer.picturePath).toMatch(/^\/api\/pictures\/[0-9A-Z]{26}$/);
    const id = answer.picturePath?.split("/").at(-1) ?? "";
    expect(await desk.store.picture(id)).toMatchObject({ type, bytes: Uint8Array.from(bytes) });
    const shown = (await desk.events()).flatMap((event) =>
      event.kind === "tool_result" ? [event.payload.picturePath] : [],
    );
    expect(shown).toEqual([answer.picturePath]);
  });

  it.each([
    ["a PNG that says JPEG", "image/jpeg", png],
    ["SVG", "image/svg+xml", ascii("<svg onload='alert(1)'/>")],
    ["HTML that says PNG", "image/png", ascii("<html><script>")],
    ["RIFF that is no WebP", "image/webp", ascii("RIFF0000WAVEfmt ")],
    ["no bytes", "image/png", []],
    [
      "more than the limit",
      "image/png",
      Uint8Array.from({ length: limits.pictureBytes + 1 }, (_, index) => png[index] ?? 0),
    ],
  ])("that is %s is dropped, and the result stays", async (_, type, bytes) => {
    const answer = await resultOf("look_up", picture(type, bytes));
    expect(answer).toMatchObject({ status: "succeeded", text: "a chart", picturePath: null });
  });

  it("that is no picture at all does not make a write uncertain", async () => {
    const wrong = async () => ({ text: "moved", isError: false, outcome: "done", picture: { type: "image/png" } });
    expect(await resultOf("transfer", wrong)).toMatchObject({ status: "succeeded", picturePath: null });
    expect(await desk.pending()).toEqual([]);
  });
});

describe("what a tool gives back", () => {
  it("M12: is well-formed text, cut on a whole character with a note that says so", async () => {
    const long = `x${"😀".repeat(limits.resultCharacters / 2)}`;
    const { text } = await resultOf("look_up", async () => ({ text: long, isError: false, outcome: "done" }));
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/\[cut: 1500001 characters, the first 1499999 are shown\]$/);
    const half = await resultOf("look_up", async () => ({ text: "a\ud83d", isError: false, outcome: "done" }));
    expect(half.text).toBe("a\ufffd");
  });

  it("D1: a NUL and other control characters come back as they were", async () => {
    const text = "a\u0000b\u001a\u2028c";
    expect((await resultOf("look_up", async () => ({ text, isError: false, outcome: "done" }))).text).toBe(text);
    expect((await desk.calls())[0]?.resultText).toBe(text);
  });

  const strange: [string, unknown][] = [
    ["nothing", undefined],
    ["null", null],
    ["a text", "done"],
    ["an empty object", {}],
    ["an unknown outcome", { text: "x", isError: false, outcome: "maybe" }],
  ];
  it.each(strange)("%s from a read is an error that surely did nothing", async (_, result) => {
    const answer = await resultOf("look_up", async () => result);
    expect(answer).toMatchObject({ status: "failed", isError: true, outcome: "notDone" });
  });

  it.each(strange)("%s from a write is uncertain, and a person looks at it", async (_, result) => {
    const answer = await resultOf("transfer", async () => result);
    expect(answer).toMatchObject({ status: "uncertain", isError: true, outcome: "unknown" });
    expect(await desk.pending()).toMatchObject([{ kind: "uncertain", tool: "transfer", expiresAt: null }]);
  });

  it("not done is an error whatever the tool says, and done may still be one", async () => {
    const notDone = await resultOf("transfer", async () => ({ text: "no", isError: false, outcome: "notDone" }));
    expect(notDone).toMatchObject({ status: "failed", isError: true });
    const partly = await resultOf("look_up", async () => ({ text: "hm", isError: true, outcome: "done" }));
    expect(partly).toMatchObject({ status: "succeeded", isError: true, outcome: "done" });
  });

  it("a read that throws is an error with its message", async () => {
    const answer = await resultOf("look_up", () => Promise.reject(new Error("broker said no")));
    expect(answer).toMatchObject({ status: "failed", outcome: "notDone", text: "look_up failed: broker said no" });
  });

  it("P3: of a read that timed out is heard by nobody when it comes late", async () => {
    const started = Promise.withResolvers<void>();
    const late = Promise.withResolvers<ToolResult>();
    next = () => {
      started.resolve();
      return late.promise;
    };
    desk.backend.turn(
      call("look_up", {}, (answer) => {
        expect(answer).toMatchObject({ status: "failed", outcome: "notDone", text: "look_up timed out after 30 s" });
      }),
    );
    await desk.triggers.send("majors", { text: "go" }, "ann");
    await started.promise;
    clock.advance(30_000);
    await desk.runner.idle();
    const events = await desk.events();
    late.resolve(done("late"));
    await desk.executor.idle();
    expect(await desk.pending()).toEqual([]);
    expect(await desk.events()).toEqual(events);
  });
});

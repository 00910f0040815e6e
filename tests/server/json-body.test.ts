import { describe, expect, it } from "vitest";
import { LosslessNumber } from "lossless-json";
import { limits } from "#lib/protocol/limits.ts";
import { parseJson, readJsonBody } from "#lib/server/json-body.ts";

function post(body: RequestInit["body"], contentType = "application/json"): Request {
  const init = { method: "POST", body, duplex: "half", headers: { "content-type": contentType } };
  return new Request("http://localhost/api/x", init);
}

/** A body in chunks that says how many of them were taken. */
function endless(chunk: Uint8Array) {
  let taken = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += 1;
      controller.enqueue(chunk);
    },
  });
  return { stream, taken: () => taken };
}

describe("a JSON body", () => {
  it("is read as it is", async () => {
    await expect(readJsonBody(post('{"a":[1,"ü",null,true]}'))).resolves.toEqual({ a: [1, "ü", null, true] });
  });

  it.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "may be declared as %s",
    async (contentType) => {
      await expect(readJsonBody(post("{}", contentType))).resolves.toEqual({});
    },
  );

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "application/jsonp",
    "",
  ])("P14: is refused as %j", async (contentType) => {
    await expect(readJsonBody(post("{}", contentType))).rejects.toMatchObject({
      code: "unsupported_media_type",
      details: { field: "content-type", limit: "application/json" },
    });
  });

  it("P14: is refused while it arrives once it is too large, without a declared length", async () => {
    const { stream, taken } = endless(new Uint8Array(1024 * 1024));
    await expect(readJsonBody(post(stream))).rejects.toMatchObject({
      code: "too_large",
      details: { field: "body", limit: `${limits.bodyBytes} bytes` },
    });
    expect(taken()).toBeLessThan(12);
  });

  it("P14: is refused unread where its declared length is too large", async () => {
    const { stream, taken } = endless(new Uint8Array(1));
    const request = new Request("http://localhost/", {
      method: "POST",
      body: stream,
      duplex: "half",
      headers: { "content-type": "application/json", "content-length": String(limits.bodyBytes + 1) },
    } as RequestInit);
    await expect(readJsonBody(request)).rejects.toMatchObject({ code: "too_large" });
    expect(taken()).toBeLessThan(3);
  });

  it.each(["", "  ", "{", "{bad}", '{"a":1}x', "{'a':1}", '{"a":01}', '{"a":NaN}', '"\u0001"', "undefined"])(
    "P14: %j is not JSON",
    (text) => {
      expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: "bad_json" }));
    },
  );

  it("P14: bytes that are not UTF-8 are refused", async () => {
    await expect(readJsonBody(post(new Uint8Array([0x22, 0xff, 0x22])))).rejects.toMatchObject({ code: "bad_json" });
  });

  it("P14: a key that stands twice is named", () => {
    expect(() => parseJson('{"decision":"deny","decision":"approve"}')).toThrow(
      expect.objectContaining({ code: "bad_json", details: { field: "decision", limit: "once" } }),
    );
  });

  it("P14: nesting has a limit, and brackets in text are none", () => {
    const nested = (depth: number) => `{"arguments":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(() => parseJson(nested(limits.argumentsDepth))).not.toThrow();
    expect(() => parseJson(nested(limits.argumentsDepth + 1))).toThrow(expect.objectContaining({ code: "bad_json" }));
    expect(() => parseJson(nested(500_000))).toThrow(expect.objectContaining({ code: "bad_json" }));
    expect(() => parseJson(JSON.stringify({ text: `${"[".repeat(1000)}\\"{` }))).not.toThrow();
  });

  it("M10: a number that would lose digits keeps them inside arguments", () => {
    const body = parseJson('{"arguments":{"orderId":9007199254740993123,"n":1.50,"e":1e400}}');
    expect(body).toEqual({
      arguments: { orderId: new LosslessNumber("9007199254740993123"), n: 1.5, e: new LosslessNumber("1e400") },
    });
  });

  it("M10, P14: it is refused by value anywhere else", () => {
    expect(() => parseJson('{"caps":[{"calls":9007199254740993123}]}')).toThrow(
      expect.objectContaining({
        code: "invalid",
        details: expect.objectContaining({ field: "caps[0].calls", given: "9007199254740993123" }),
      }),
    );
  });

  it("a key such as __proto__ is data", () => {
    const body = parseJson('{"__proto__":{"x":1}}') as object;
    expect(Object.keys(body)).toEqual(["__proto__"]);
    expect("x" in body).toBe(false);
  });
});

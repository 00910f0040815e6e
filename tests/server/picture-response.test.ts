import { expect, it } from "vitest";
import { pictureResponse } from "#lib/server/picture-response.ts";

it("P12: a picture is answered as what it is, kept for ever, and inert by itself", async () => {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
  const response = pictureResponse({ id: "p", type: "image/png", bytes });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "private, max-age=31536000, immutable",
    "content-length": "4",
    "content-security-policy": expect.stringMatching(/default-src 'none';.*sandbox$/),
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
  });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
});

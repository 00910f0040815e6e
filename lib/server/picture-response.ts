import type { PictureRow } from "#lib/core/record.ts";
import { apiHeaders } from "./answer-headers.ts";

/** A picture as an answer: its type as its bytes say, never changed, and inert where it is opened by itself. */
export function pictureResponse(picture: PictureRow): Response {
  return new Response(new Uint8Array(picture.bytes), {
    headers: {
      ...apiHeaders,
      "cache-control": "private, max-age=31536000, immutable",
      "content-disposition": "inline",
      "content-length": String(picture.bytes.byteLength),
      "content-type": picture.type,
      // Shown by itself in a tab, a browser draws it as an image in a document of its own.
      "content-security-policy":
        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    },
  });
}

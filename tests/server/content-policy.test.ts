import { describe, expect, it } from "vitest";
import { contentPolicy, createNonce } from "#lib/server/content-policy.ts";

const policy = contentPolicy("bm9uY2U=", false);

describe("the content security policy of a page", () => {
  it("P12: runs no script without the nonce", () => {
    expect(policy).toContain("script-src 'nonce-bm9uY2U=' 'strict-dynamic';");
    expect(policy).not.toContain("unsafe-eval");
    expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toContain("unsafe-inline");
  });

  it("P12: reaches no other origin", () => {
    expect(policy).not.toMatch(/https?:|\*|data:|blob:/);
    for (const directive of ["img-src 'self'", "connect-src 'self'", "font-src 'self'", "form-action 'self'"]) {
      expect(policy).toContain(directive);
    }
  });

  it("may not be framed, rebased or extended by plug-ins", () => {
    for (const directive of ["frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"]) {
      expect(policy).toContain(directive);
    }
  });

  it("a nonce is fresh and long", () => {
    const nonces = new Set(Array.from({ length: 100 }, createNonce));
    expect(nonces.size).toBe(100);
    for (const nonce of nonces) expect(Buffer.from(nonce, "base64")).toHaveLength(16);
  });
});

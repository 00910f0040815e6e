import { randomBytes } from "node:crypto";

/** A fresh nonce for one page: 128 bits that nobody can guess. */
export function createNonce(): string {
  return randomBytes(16).toString("base64");
}

/**
 * The content security policy of one page. Next reads it from the request and puts the nonce on its own scripts.
 * Development needs more: React's stack frames use `eval`, the overlay brings its own styles, and reloading a socket.
 */
export function contentPolicy(nonce: string, development: boolean): string {
  const directives = {
    "default-src": "'self'",
    // The scripts with the nonce may load their own chunks; nothing else runs, not even a file of ours.
    "script-src": `'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src": development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}'`,
    // React writes positions and sizes (popups, virtual lists, visually hidden inputs) as style attributes. They can
    // load nothing from elsewhere, for images and fonts are bound to our origin.
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "object-src": "'none'",
    "frame-src": "'none'",
    "worker-src": "'none'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

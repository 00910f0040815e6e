/** A random id for idempotent sending. `crypto.randomUUID` does not exist on plain http beyond this machine. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

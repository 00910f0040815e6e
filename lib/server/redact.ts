const secretName =
  /authorization|cookie|passw|secret|token|credential|^key$|(?:api|anchor|private|access|signing)[-_]?key/i;
const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const credentialsInUrl = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s"/@:]*:[^\s"/@]+@/gi;
const providerKey = /\b(?:sk|pk|xox[a-z]|gh[pousr])[-_][\w-]{12,}/g;

/** What stands in the place of a secret. */
export const hidden = "[hidden]";

/** Whether a field of this name holds something that is never shown. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** The text without the known secrets, and without what looks like a key, a token or a password in an address. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, hidden);
  return clean.replace(bearer, `$1 ${hidden}`).replace(credentialsInUrl, `$1${hidden}@`).replace(providerKey, hidden);
}

const deepest = 6;

/** A copy in which each field with a secret's name is hidden, at any depth that a log line has. */
export function redactFields(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return depth < deepest ? value.map((item) => redactFields(item, depth + 1)) : "[deep]";
  if (!isPlainObject(value)) return value;
  if (depth >= deepest) return "[deep]";
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, isSecretName(name) ? hidden : redactFields(field, depth + 1)]),
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

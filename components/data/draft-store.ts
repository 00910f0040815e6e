const prefix = "deskboard:draft:";
const keptMs = 7 * 24 * 60 * 60 * 1000;

const drafts = new Map<string, unknown>();
const listeners = new Set<() => void>();
let pruned = false;

/** Storage can be forbidden or full: then drafts live as long as the page. */
function withStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}

function readStored(key: string): unknown {
  return withStorage((storage) => {
    if (!pruned) {
      pruned = true;
      prune(storage);
    }
    const stored = storage.getItem(prefix + key);
    return stored === null ? undefined : (JSON.parse(stored) as { value: unknown }).value;
  });
}

function prune(storage: Storage): void {
  for (const name of Object.keys(storage).filter((one) => one.startsWith(prefix))) {
    const at = withStorage(() => (JSON.parse(storage.getItem(name) ?? "{}") as { at?: number }).at) ?? 0;
    if (Date.now() - at > keptMs) storage.removeItem(name);
  }
}

/** What was typed under this key and is not sent; undefined where nothing was. */
export function readDraft(key: string): unknown {
  if (!drafts.has(key)) drafts.set(key, readStored(key));
  return drafts.get(key);
}

/** Keeps what was typed, over a reload too; undefined forgets it. */
export function writeDraft(key: string, value: unknown): void {
  drafts.set(key, value);
  withStorage((storage) => {
    if (value === undefined) storage.removeItem(prefix + key);
    else storage.setItem(prefix + key, JSON.stringify({ at: Date.now(), value }));
  });
  for (const listener of listeners) listener();
}

/** Calls back when any draft changed. */
export function watchDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

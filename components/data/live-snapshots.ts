import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import type { LiveEvent } from "#lib/protocol/socket.ts";

/** A reply that says which position of the record it certainly includes. */
interface Snapshot {
  asOf: number;
}

/** At most so often is one snapshot read again because of events. */
const spacingMs = 100;

/** The families of snapshots, by the first part of their keys. */
const families = ["desks", "requests"] as const;

/** Of what is known and what was just read the newer one: an older answer that arrives last does not win. */
export function newerSnapshot<T extends Snapshot>(client: QueryClient, key: QueryKey, read: T): T {
  const known = client.getQueryData<T>(key);
  return known && known.asOf > read.asOf ? known : read;
}

/** Which snapshots an event makes old. Nothing of them is ever made from the event itself. */
function isTouched(key: QueryKey, { kind, payload }: LiveEvent): boolean {
  const [family, which, id] = key;
  const ofRequest = kind === "user_request" || kind === "user_request_changed";
  if (family === "desks") return ofRequest || /^(desk_changed|trigger_queued|turn_)/.test(kind);
  if (!ofRequest) return false;
  return which !== "one" || payload === null || (payload as { requestId?: unknown }).requestId === id;
}

/**
 * Reads what is shown of desks and requests again until each snapshot includes the newest event that touches it. Reads of
 * one snapshot never overlap, so that no number of events can keep it from arriving.
 */
export class LiveSnapshots {
  readonly #client: QueryClient;
  /** The position that a snapshot has to include, by its query. */
  readonly #wanted = new Map<string, number>();
  readonly #reading = new Set<string>();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** An event of the live stream. */
  take(event: LiveEvent): void {
    for (const query of this.#shown()) if (isTouched(query.queryKey, event)) this.#want(query, event.position);
  }

  /** A new connection: all that is shown has to include this position, and nothing can be newer. */
  connected(position: number): void {
    for (const query of this.#all()) {
      if (asOf(query) > position)
        this.#client.setQueryData<Snapshot>(query.queryKey, (known) => known && { ...known, asOf: 0 });
    }
    for (const query of this.#shown()) this.#want(query, position);
  }

  /** Goes on where a read failed. */
  resume(): void {
    for (const query of this.#shown()) void this.#readUntilNew(query);
  }

  #want(query: Query, position: number): void {
    this.#wanted.set(query.queryHash, Math.max(this.#wanted.get(query.queryHash) ?? 0, position));
    void this.#readUntilNew(query);
  }

  async #readUntilNew(query: Query): Promise<void> {
    const { queryHash, queryKey } = query;
    if (this.#reading.has(queryHash)) return;
    this.#reading.add(queryHash);
    try {
      while (query.isActive() && asOf(query) < (this.#wanted.get(queryHash) ?? 0)) {
        // Joins a read that is under way; where that one is too old, the next round reads once more.
        await this.#client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
        if (query.state.status === "error") return;
        await new Promise((later) => setTimeout(later, spacingMs));
      }
    } finally {
      this.#reading.delete(queryHash);
    }
  }

  #all(): Query[] {
    return families.flatMap((family) => this.#client.getQueryCache().findAll({ queryKey: [family] }));
  }

  #shown(): Query[] {
    return this.#all().filter((query) => query.isActive());
  }
}

function asOf(query: Query): number {
  return (query.state.data as Snapshot | undefined)?.asOf ?? -1;
}

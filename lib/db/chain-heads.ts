import type { Digest } from "#lib/core/ports/digest.ts";
import type { Head } from "#lib/core/ports/store.ts";
import type { DeskEvent, NewEvent } from "#lib/protocol/events.ts";
import { eventFacts } from "./event-facts.ts";
import { eventHash, firstPreviousHash } from "./event-hash.ts";
import { toStoredJson } from "./stored-text.ts";

/** An event as its row. */
export interface StoredEvent {
  position: number;
  deskName: string;
  seq: number;
  kind: string;
  at: string;
  triggerId: string | null;
  payload: string;
  previousHash: string;
  hash: string;
  tool: string | null;
  subject: string | null;
  bytes: number;
}

/** Where the record stands: the last position, and the head of each desk's chain. */
export class ChainHeads {
  readonly #heads: Map<string, Head>;
  #position: number;

  constructor(heads: readonly Head[]) {
    this.#heads = new Map(heads.map((head) => [head.deskName, head]));
    this.#position = Math.max(0, ...heads.map((head) => head.position));
  }

  get position(): number {
    return this.#position;
  }

  head(deskName: string): Head | undefined {
    return this.#heads.get(deskName);
  }

  all(): Head[] {
    return [...this.#heads.values()];
  }

  /** What a transaction would append; nothing of it counts until it is adopted. */
  draft(digest: Digest): ChainDraft {
    return new ChainDraft(this, digest);
  }

  /** Takes over what a draft appended, once it is on disk. */
  adopt(draft: ChainDraft): void {
    this.#position = draft.position;
    for (const head of draft.changedHeads()) this.#heads.set(head.deskName, head);
  }
}

/** Positions, seqs and hashes for the events of one transaction. */
export class ChainDraft {
  readonly #base: ChainHeads;
  readonly #digest: Digest;
  readonly #changed = new Map<string, Head>();
  readonly rows: StoredEvent[] = [];
  #position: number;

  constructor(base: ChainHeads, digest: Digest) {
    this.#base = base;
    this.#digest = digest;
    this.#position = base.position;
  }

  get position(): number {
    return this.#position;
  }

  changedHeads(): Iterable<Head> {
    return this.#changed.values();
  }

  /** Gives an event its place in the record, and gives it back as reads will give it. */
  append(event: NewEvent, at: string, tool: string | null): DeskEvent {
    const { deskName, kind, triggerId } = event;
    const before = this.#changed.get(deskName) ?? this.#base.head(deskName);
    const position = this.#position + 1;
    const seq = (before?.seq ?? 0) + 1;
    const previousHash = before?.hash ?? firstPreviousHash;
    const payload = toStoredJson(event.payload);
    const place = { position, deskName, seq, kind, at, triggerId, previousHash };
    const hash = eventHash({ ...place, payloadText: payload }, this.#digest);
    const facts = eventFacts(kind, event.payload);
    const bytes = Buffer.byteLength(payload);
    this.rows.push({ ...place, hash, payload, bytes, subject: facts.subject, tool: facts.tool ?? tool });
    this.#position = position;
    this.#changed.set(deskName, { deskName, position, seq, hash });
    return { ...place, hash, payload: JSON.parse(payload) };
  }
}

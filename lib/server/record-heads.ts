import type { EventBus } from "#lib/core/event-bus.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { Heads } from "#lib/protocol/socket.ts";

/** How far the record is, without a read: it follows the events that were committed. */
export class RecordHeads {
  #position = 0;
  readonly #seqs = new Map<string, number>();

  private constructor() {}

  /** Reads the heads once and follows the bus from then on. Nothing may be committed before it resolves. */
  static async follow(store: Pick<Store, "heads">, bus: EventBus): Promise<RecordHeads> {
    const heads = new RecordHeads();
    for (const head of await store.heads()) heads.#take(head);
    bus.subscribe((event) => heads.#take(event));
    return heads;
  }

  /** The newest position that was committed; 0 where there is none. */
  get position(): number {
    return this.#position;
  }

  /** The heads of these streams, or of all. A stream without an event is at 0. */
  of(desks: "all" | readonly string[]): Heads {
    const seqs = desks === "all" ? [...this.#seqs] : desks.map((name) => [name, this.#seqs.get(name) ?? 0] as const);
    return { position: this.#position, seqs: Object.fromEntries(seqs) };
  }

  #take({ position, deskName, seq }: { position: number; deskName: string; seq: number }): void {
    this.#position = Math.max(this.#position, position);
    this.#seqs.set(deskName, seq);
  }
}

import type { DeskEvent, EventKind } from "#lib/protocol/events.ts";
import type { CallStatus, RequestKind, RequestState, TriggerState } from "#lib/protocol/states.ts";
import type {
  CallRow,
  DeskRow,
  NoteRow,
  PaperOrderRow,
  PictureRow,
  RequestRow,
  RuleRow,
  TriggerRow,
} from "#lib/core/record.ts";
import type { CommitResult, Unit } from "./unit.ts";

export interface EventQuery {
  desk?: string;
  kinds?: readonly EventKind[];
  /** Events of calls of this tool, and requests for it. */
  tool?: string;
  triggerId?: string;
  /** Text that the payload contains, letter case ignored (ASCII). */
  text?: string;
  /** Only positions above. Oldest first. */
  after?: number;
  /** Only positions below. The newest of them, given oldest first. Not together with `after`. */
  before?: number;
  /** Most rows, 1 to 500. */
  limit: number;
}

export interface EventPageRows {
  /** Oldest first. */
  events: DeskEvent[];
  head: number;
  more: boolean;
}

export interface RequestQuery {
  deskName?: string;
  triggerId?: string;
  tool?: string;
  identity?: string;
  kinds?: readonly RequestKind[];
  states?: readonly RequestState[];
  /** Decided at or after this time. */
  decidedSince?: string;
  /** Expires at or before this time, or at a time that cannot be read. */
  expiredAt?: string;
  order: "oldest" | "newest";
  limit: number;
}

export interface TriggerQuery {
  deskName?: string;
  states?: readonly TriggerState[];
  /** `next`: by priority, then the oldest first: the order in which they run. */
  order: "next" | "newest";
  limit: number;
}

export interface CallQuery {
  deskName?: string;
  triggerId?: string;
  name?: string;
  statuses?: readonly CallStatus[];
  requestId?: string;
  /** Only ids below: the cursor of `newest`. */
  before?: string;
  order: "oldest" | "newest";
  limit: number;
}

/** Last position, seq and hash of one stream. */
export interface Head {
  deskName: string;
  position: number;
  seq: number;
  hash: string;
}

/**
 * The record. Its one write is `commit`; a unit is all or nothing, and no other unit's failure touches it. Reads see at
 * least all that was confirmed before they began.
 */
export interface Store {
  /**
   * Commits a unit and gives its events after they are on disk and were published. A condition that does not hold
   * changes nothing and comes back as a value.
   * @throws where the record cannot be written: then nothing of the unit is in it.
   */
  commit(unit: Unit): Promise<CommitResult>;

  desk(name: string): Promise<DeskRow | null>;
  desks(): Promise<DeskRow[]>;
  trigger(id: string): Promise<TriggerRow | null>;
  triggerByClientId(deskName: string, clientId: string): Promise<TriggerRow | null>;
  triggers(query: TriggerQuery): Promise<TriggerRow[]>;
  countTriggers(query: Pick<TriggerQuery, "deskName" | "states">): Promise<number>;
  call(id: string): Promise<CallRow | null>;
  calls(query: CallQuery): Promise<CallRow[]>;
  request(id: string): Promise<RequestRow | null>;
  requests(query: RequestQuery): Promise<RequestRow[]>;
  countRequests(query: Pick<RequestQuery, "deskName" | "kinds" | "states" | "tool">): Promise<number>;
  /** The rules and their version, which changes with each change of a rule. */
  policy(): Promise<{ version: number; rules: RuleRow[] }>;
  picture(id: string): Promise<PictureRow | null>;
  paperOrder(key: string): Promise<PaperOrderRow | null>;
  /** Oldest first. */
  paperOrders(deskName: string): Promise<PaperOrderRow[]>;
  /** Newest first. */
  notes(deskName: string, limit: number): Promise<NoteRow[]>;

  events(query: EventQuery): Promise<EventPageRows>;
  event(position: number): Promise<DeskEvent | null>;
  heads(): Promise<Head[]>;
  highestRequestNumber(): Promise<number>;
  /** Waits for what is being written, then lets go of the database. */
  close(): Promise<void>;
}

import type {
  AnswerBody,
  ChangeDeskBody,
  CreateDeskBody,
  DecisionBody,
  MessageBody,
  ResolveBody,
  StopBody,
} from "#lib/protocol/bodies.ts";
import type { EventsQuery, CallsQuery, RequestsQuery } from "#lib/protocol/queries.ts";
import type { CallView, CheckView, DeskView, EventPage, RequestReply, RequestView } from "#lib/protocol/views.ts";
import type { PictureRow } from "#lib/core/record.ts";
import type { ToolListing } from "#lib/core/ports/backend.ts";

/** Who does it: core always knows. */
export interface Person {
  name: string;
}

/**
 * What the doors call. Each rejects with an `AppError` for what a caller did wrong; anything else is a bug or the
 * record's failure.
 */
export interface Services {
  health(): Promise<{ status: "ok" | "read_only"; version: string; database: string }>;

  listDesks(): Promise<{ asOf: number; desks: DeskView[] }>;
  readDesk(name: string): Promise<DeskView>;
  createDesk(body: CreateDeskBody, by: Person): Promise<DeskView>;
  changeDesk(name: string, body: ChangeDeskBody, by: Person): Promise<DeskView>;
  sendMessage(name: string, body: MessageBody, by: Person): Promise<{ triggerId: string }>;
  stopDesk(name: string, body: StopBody, by: Person): Promise<{ stopped: string[]; cancelled: string[] }>;
  pauseDesk(name: string, by: Person): Promise<DeskView>;
  pauseAll(by: Person): Promise<{ paused: string[] }>;
  deskTools(name: string): Promise<readonly ToolListing[]>;

  listEvents(query: EventsQuery): Promise<EventPage>;
  listCalls(query: CallsQuery): Promise<{ calls: CallView[]; more: boolean }>;

  listRequests(query: RequestsQuery): Promise<{ asOf: number; requests: RequestView[] }>;
  readRequest(id: string): Promise<RequestReply>;
  decideRequest(id: string, body: DecisionBody, by: Person): Promise<RequestReply>;
  checkRequest(id: string, args: unknown): Promise<CheckView>;
  answerRequest(id: string, body: AnswerBody, by: Person): Promise<RequestReply>;
  dismissRequest(id: string, by: Person): Promise<RequestReply>;
  resolveRequest(id: string, body: ResolveBody, by: Person): Promise<RequestReply>;

  readPicture(id: string): Promise<PictureRow>;
}

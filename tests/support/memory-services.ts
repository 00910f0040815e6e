import { AppError } from "#lib/core/app-error.ts";
import type { ToolListing } from "#lib/core/ports/backend.ts";
import type { PictureRow } from "#lib/core/record.ts";
import type { ChangeDeskBody, CreateDeskBody, DecisionBody, MessageBody } from "#lib/protocol/bodies.ts";
import { capsSchema } from "#lib/protocol/caps.ts";
import type { DeskEvent } from "#lib/protocol/events.ts";
import type { EventsQuery } from "#lib/protocol/queries.ts";
import type { CallView, CheckView, DeskView, EventPage, RequestReply } from "#lib/protocol/views.ts";
import type { Person, Services } from "#lib/server/services.ts";

/** What the doors call, kept in memory: desks, events and requests that a test puts there; no turn ever runs. */
export class MemoryServices implements Services {
  readonly desks = new Map<string, DeskView>();
  readonly requests = new Map<string, RequestReply>();
  readonly pictures = new Map<string, PictureRow>();
  readonly events: DeskEvent[] = [];
  readonly calls: CallView[] = [];
  readonly tools: ToolListing[] = [];
  readonly #messages = new Map<string, string>();

  async health() {
    return { status: "ok" as const, version: "0.0.0", database: "memory" };
  }

  async listDesks() {
    return { asOf: this.events.length, desks: [...this.desks.values()] };
  }

  async readDesk(name: string): Promise<DeskView> {
    return found(this.desks.get(name), "desk", name);
  }

  async createDesk(body: CreateDeskBody, _by: Person): Promise<DeskView> {
    if (this.desks.has(body.name)) throw new AppError("already_exists", `There is a desk ${body.name} already`);
    const desk: DeskView = {
      ...body,
      status: "active",
      instructionsVersion: 1,
      caps: capsSchema.parse(body.caps ?? {}),
      capReached: null,
      halted: null,
      running: null,
      queued: 0,
      waiting: 0,
      createdAt: "2026-10-01T09:00:00.000Z",
    };
    this.desks.set(body.name, desk);
    return desk;
  }

  async changeDesk(name: string, body: ChangeDeskBody, _by: Person): Promise<DeskView> {
    const { capSeen: _seen, caps, ...changes } = body;
    const desk = await this.readDesk(name);
    Object.assign(desk, changes, { caps: { ...desk.caps, ...caps } });
    return desk;
  }

  async sendMessage(name: string, body: MessageBody, _by: Person): Promise<{ triggerId: string }> {
    await this.readDesk(name);
    const key = `${name}/${body.clientId ?? this.#messages.size}`;
    const triggerId = this.#messages.get(key) ?? `T${this.#messages.size + 1}`;
    this.#messages.set(key, triggerId);
    return { triggerId };
  }

  async stopDesk(name: string) {
    await this.readDesk(name);
    return { stopped: [], cancelled: [] };
  }

  async pauseDesk(name: string): Promise<DeskView> {
    const desk = await this.readDesk(name);
    desk.status = "paused";
    return desk;
  }

  async pauseAll() {
    const active = [...this.desks.values()].filter((desk) => desk.status === "active");
    for (const desk of active) desk.status = "paused";
    return { paused: active.map((desk) => desk.name) };
  }

  async deskTools(name: string): Promise<readonly ToolListing[]> {
    await this.readDesk(name);
    return this.tools;
  }

  async listEvents({ desk, after = 0, before = Infinity, limit }: EventsQuery): Promise<EventPage> {
    const events = this.events.filter(
      (event) => event.position > after && event.position < before && (!desk || event.deskName === desk),
    );
    return { events: events.slice(0, limit), head: this.events.length, more: events.length > limit };
  }

  async listCalls() {
    return { calls: this.calls, more: false };
  }

  async listRequests() {
    return { asOf: this.events.length, requests: [...this.requests.values()] };
  }

  async readRequest(id: string): Promise<RequestReply> {
    return found(this.requests.get(id), "request", id);
  }

  async decideRequest(id: string, body: DecisionBody, by: Person): Promise<RequestReply> {
    const request = await this.readRequest(id);
    if (request.digest !== body.digest) throw new AppError("digest_mismatch", "The call has changed", { request });
    return this.#close(request, body.decision === "approve" ? "approved" : "denied", by);
  }

  async checkRequest(id: string, args: unknown): Promise<CheckView> {
    const request = await this.readRequest(id);
    return { arguments: JSON.stringify(args), verdict: "hold", reason: "", ticket: null, digest: request.digest ?? "" };
  }

  async answerRequest(id: string, _body: unknown, by: Person): Promise<RequestReply> {
    return this.#close(await this.readRequest(id), "answered", by);
  }

  async dismissRequest(id: string, by: Person): Promise<RequestReply> {
    return this.#close(await this.readRequest(id), "dismissed", by);
  }

  async resolveRequest(id: string, _body: unknown, by: Person): Promise<RequestReply> {
    return this.#close(await this.readRequest(id), "resolved", by);
  }

  async readPicture(id: string): Promise<PictureRow> {
    return found(this.pictures.get(id), "picture", id);
  }

  #close(request: RequestReply, state: RequestReply["state"], by: Person): RequestReply {
    if (request.state !== "pending") {
      throw new AppError("already_decided", `${request.label} was closed by ${request.decidedBy}`, { request });
    }
    return Object.assign(request, { state, decidedBy: by.name, decidedAt: "2026-10-01T09:01:00.000Z" });
  }
}

function found<T>(row: T | undefined, what: string, given: string): T {
  if (row === undefined) throw new AppError("not_found", `There is no such ${what}`, { field: what, given });
  return row;
}

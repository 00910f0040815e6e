import type { ChangeDeskBody, CreateDeskBody } from "#lib/protocol/bodies.ts";
import { capsSchema } from "#lib/protocol/caps.ts";
import type { Json } from "#lib/protocol/json.ts";
import type { DeskStatus } from "#lib/protocol/states.ts";
import { AppError } from "./app-error.ts";
import type { CoreDeps } from "./deps.ts";
import type { LiveDesks } from "./live-desks.ts";
import { isoNow } from "./ports/clock.ts";
import type { Change } from "./ports/unit.ts";
import type { DeskRow, TriggerRow } from "./record.ts";

/** What a stop came to: ids of triggers and of requests. */
export interface Stopped {
  stopped: string[];
  cancelled: string[];
}

/** What people do with desks. */
export class Desks {
  readonly #deps: CoreDeps;
  readonly #live: LiveDesks;
  readonly #backendNames: () => string[];

  constructor(live: LiveDesks, backendNames: () => string[], deps: CoreDeps) {
    this.#live = live;
    this.#backendNames = backendNames;
    this.#deps = deps;
  }

  /** @throws AppError `not_found`. */
  async read(name: string): Promise<DeskRow> {
    const desk = await this.#deps.store.desk(name);
    if (!desk) throw noSuchDesk(name);
    return desk;
  }

  /** @throws AppError `already_exists`; `invalid` for unknown backends or toolsets. */
  async create(body: CreateDeskBody, by: string): Promise<DeskRow> {
    this.#checkNames(body);
    const at = isoNow(this.#deps.clock);
    const row: DeskRow = {
      name: body.name,
      status: "active",
      instructions: body.instructions,
      instructionsVersion: 1,
      backends: body.backends,
      toolsets: body.toolsets,
      caps: capsSchema.parse(body.caps ?? {}),
      capReached: null,
      createdAt: at,
      updatedAt: at,
    };
    const result = await this.#deps.store.commit({
      name: "desk",
      when: [{ that: "noDesk", name: row.name }],
      changes: [{ insert: "desk", row }],
      events: [
        changedDesk(row, by, {
          created: true,
          instructions: row.instructions,
          instructionsVersion: 1,
          backends: row.backends,
          toolsets: row.toolsets,
          caps: { ...row.caps },
        }),
      ],
    });
    if (!result.committed) {
      throw new AppError("already_exists", `there is a desk ${row.name} already`, {
        field: "name",
        limit: "unique",
        given: row.name,
      });
    }
    this.#live.open(row).runner.wake();
    return row;
  }

  /** Changes, resumes or archives a desk. Archiving also stops all of it. */
  async change(name: string, body: ChangeDeskBody, by: string): Promise<DeskRow> {
    this.#checkNames(body);
    const desk = await this.read(name);
    const at = isoNow(this.#deps.clock);
    const set: Partial<DeskRow> = { updatedAt: at };
    const changes: Record<string, Json> = {};
    if (body.status !== undefined && body.status !== desk.status) set.status = body.status;
    if (body.backends) changes["backends"] = set.backends = body.backends;
    if (body.toolsets) changes["toolsets"] = set.toolsets = body.toolsets;
    if (body.caps) changes["caps"] = { ...(set.caps = capsSchema.parse({ ...desk.caps, ...body.caps })) };
    if (body.capSeen || set.status === "active") set.capReached = null;
    if (body.instructions !== undefined && body.instructions !== desk.instructions) {
      changes["instructions"] = set.instructions = body.instructions;
      changes["instructionsVersion"] = set.instructionsVersion = desk.instructionsVersion + 1;
    }
    const more: Change[] = [{ update: "desk", key: name, set }];
    if (set.status === "archived") more.push(...cancelAll(name, by, "the desk was archived", at));
    const next = { ...desk, ...set };
    const result = await this.#deps.store.commit({
      name: "desk",
      when: [{ that: "desk", name, status: [desk.status] }],
      changes: more,
      events: [changedDesk(next, by, changes)],
    });
    if (!result.committed) return this.change(name, body, by);
    if (set.status === "archived") await this.stop(name, true, by);
    this.#live.open(next).runner.wake();
    return this.read(name);
  }

  /** Pauses a desk: its calls are refused, and nothing of it is approved, until a person resumes it. */
  async pause(name: string, by: string): Promise<DeskRow> {
    const desk = await this.read(name);
    if (desk.status === "archived") {
      throw new AppError("desk_not_active", `desk ${name} is archived`, { field: "desk", given: name });
    }
    if (desk.status === "active") await this.#setStatus(desk, "paused", by);
    return this.read(name);
  }

  /** Pauses every active desk. @returns the names of those that it paused. */
  async pauseAll(by: string): Promise<string[]> {
    const active = (await this.#deps.store.desks()).filter((desk) => desk.status === "active");
    const paused = await Promise.all(active.map((desk) => this.#setStatus(desk, "paused", by)));
    return active.filter((_, index) => paused[index]).map((desk) => desk.name);
  }

  /**
   * Stops the running turn, or the newest, and cancels what waits of it, in one unit; with `all`, every pending request
   * and queued trigger of the desk. What has reached `running` goes on to its end.
   */
  async stop(name: string, all: boolean, by: string): Promise<Stopped> {
    await this.read(name);
    const { store, clock } = this.#deps;
    for (;;) {
      const turn = await this.#turnToStop(name);
      if (!turn && !all) return { stopped: [], cancelled: [] };
      const at = isoNow(clock);
      const reason = "stopped";
      const running = turn?.state === "running";
      const changes: Change[] = [];
      if (turn) {
        const ended = running ? ({ state: "stopped", endedAt: at, endReason: `stopped by ${by}` } as const) : {};
        changes.push({ update: "trigger", key: turn.id, set: { ...ended, stoppedAt: at, attemptOpen: false } });
        if (!all) changes.push({ cancel: "requests", deskName: name, triggerId: turn.id, by, reason, at });
      }
      if (all) changes.push(...cancelAll(name, by, reason, at));
      const result = await store.commit({
        name: "stop",
        when: turn ? [{ that: "trigger", id: turn.id, state: [turn.state] }] : [],
        changes,
        events: running
          ? [
              {
                deskName: name,
                kind: "turn_ended",
                triggerId: turn.id,
                payload: { triggerId: turn.id, state: "stopped", by, reason },
              },
            ]
          : [],
      });
      if (!result.committed) continue;
      if (turn) this.#live.find(name)?.runner.abort(turn.id);
      const stopped = result.events.flatMap((event) => (event.kind === "turn_ended" ? [event.payload.triggerId] : []));
      const cancelled = result.events.flatMap((event) =>
        event.kind === "user_request_changed" ? [event.payload.requestId] : [],
      );
      return { stopped, cancelled };
    }
  }

  async #turnToStop(name: string): Promise<TriggerRow | null> {
    const [running] = await this.#deps.store.triggers({
      deskName: name,
      states: ["running"],
      order: "newest",
      limit: 1,
    });
    if (running) return running;
    const ended = await this.#deps.store.triggers({
      deskName: name,
      states: ["done", "failed", "stopped"],
      order: "newest",
      limit: 100,
    });
    // The newest trigger need not have run last: schedules run behind younger messages.
    const later = (a: TriggerRow | null, b: TriggerRow) => ((b.startedAt ?? "") > (a?.startedAt ?? "") ? b : (a ?? b));
    return ended.reduce(later, null);
  }

  async #setStatus(desk: DeskRow, status: DeskStatus, by: string): Promise<boolean> {
    const set = { status, capReached: null, updatedAt: isoNow(this.#deps.clock) };
    const result = await this.#deps.store.commit({
      name: "desk",
      when: [{ that: "desk", name: desk.name, status: [desk.status] }],
      changes: [{ update: "desk", key: desk.name, set }],
      events: [changedDesk({ ...desk, ...set }, by, {})],
    });
    return result.committed;
  }

  #checkNames(body: { backends?: string[] | undefined; toolsets?: string[] | undefined }): void {
    checkKnown("backends", body.backends ?? [], this.#backendNames());
    checkKnown("toolsets", body.toolsets ?? [], this.#live.toolsetNames);
  }
}

/** The error for a desk that is not there. */
export function noSuchDesk(name: string): AppError {
  const given = name.slice(0, 80);
  return new AppError("not_found", `there is no desk ${given}`, { field: "desk", given });
}

function checkKnown(field: string, given: readonly string[], known: readonly string[]): void {
  for (const [index, name] of given.entries()) {
    if (!known.includes(name)) {
      const limit = `one of ${known.join(", ")}`;
      throw new AppError("invalid", `${field}[${index}]: there is no "${name}" (${limit})`, {
        field: `${field}[${index}]`,
        limit,
        given: name,
      });
    }
    if (given.indexOf(name) !== index) {
      throw new AppError("invalid", `${field}[${index}]: "${name}" is named twice`, {
        field: `${field}[${index}]`,
        limit: "each once",
        given: name,
      });
    }
  }
}

function cancelAll(deskName: string, by: string, reason: string, at: string): Change[] {
  return [
    { cancel: "requests", deskName, by, reason, at },
    { cancel: "triggers", deskName, by, reason, at },
  ];
}

function changedDesk(desk: DeskRow, by: string, changes: Record<string, Json>) {
  return {
    deskName: desk.name,
    kind: "desk_changed" as const,
    triggerId: null,
    payload: { status: desk.status, by, changes, capReached: desk.capReached },
  };
}

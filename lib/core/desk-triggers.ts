import type { MessageBody } from "#lib/protocol/bodies.ts";
import { AppError } from "./app-error.ts";
import { capUnit } from "./caps.ts";
import type { CoreDeps } from "./deps.ts";
import { noSuchDesk } from "./desks.ts";
import { queueTrigger } from "./outcome-triggers.ts";
import { isoNow } from "./ports/clock.ts";

/** What starts turns from outside: people's messages and schedules. */
export class DeskTriggers {
  readonly #deps: CoreDeps;

  constructor(deps: CoreDeps) {
    this.#deps = deps;
  }

  /** Queues a person's message. The same `clientId` with the same text gives the same trigger. */
  async send(name: string, body: MessageBody, by: string): Promise<string> {
    const desk = await this.#deps.store.desk(name);
    if (!desk) throw noSuchDesk(name);
    const { store, ids, clock } = this.#deps;
    const clientId = body.clientId ?? null;
    const at = isoNow(clock);
    const text = body.text.toWellFormed();
    const told = queueTrigger({ id: ids.next(), deskName: name, kind: "message", from: by, text, clientId, at });
    const cap = desk.caps.queuedTriggers;
    const result = await store.commit({
      name: "trigger",
      when: [
        ...(clientId === null ? [] : [{ that: "noClientId", deskName: name, clientId } as const]),
        { that: "desk", name, status: ["active", "paused"] },
        { that: "queuedTriggers", deskName: name, below: cap },
      ],
      changes: [told.change],
      events: [
        {
          deskName: name,
          kind: "message",
          triggerId: told.row.id,
          payload: { from: "person", name: by, text, ...(clientId !== null && { clientId }) },
        },
        told.event,
      ],
    });
    if (result.committed) return told.row.id;
    if (result.failed.that === "noClientId") return this.#sameMessage(name, clientId ?? "", text);
    if (result.failed.that === "desk") {
      throw new AppError("desk_not_active", `desk ${name} is archived and takes no messages`, {
        field: "desk",
        given: name,
      });
    }
    await capUnit(this.#deps, name, { cap: "queuedTriggers", limit: cap, triggerId: null });
    throw new AppError("too_many", `desk ${name} has ${cap} triggers waiting already; your message was not queued`, {
      field: "desk",
      limit: `at most ${cap} queued triggers`,
      given: `${cap + 1}`,
    });
  }

  /** Queues what a schedule brings, unless the desk is not active or an earlier one of it still waits or runs. */
  async schedule(name: string, from: string, text: string): Promise<void> {
    const { store, ids, clock } = this.#deps;
    const open = await store.triggers({ deskName: name, states: ["queued", "running"], order: "next", limit: 500 });
    if (open.some((trigger) => trigger.kind === "schedule")) return;
    const told = queueTrigger({ id: ids.next(), deskName: name, kind: "schedule", from, text, at: isoNow(clock) });
    await store.commit({
      name: "trigger",
      when: [{ that: "desk", name, status: ["active"] }],
      changes: [told.change],
      events: [told.event],
    });
  }

  async #sameMessage(name: string, clientId: string, text: string): Promise<string> {
    const known = await this.#deps.store.triggerByClientId(name, clientId);
    if (known && known.text === text) return known.id;
    throw new AppError(
      "client_id_reused",
      "clientId: another message of this desk has it already; yours was not queued",
      {
        field: "clientId",
        limit: "one message a clientId",
        given: clientId.slice(0, 80),
      },
    );
  }
}

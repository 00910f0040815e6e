import { AppError, isAppError } from "#lib/core/app-error.ts";
import type { CoreDeps } from "#lib/core/deps.ts";
import type { DeskTriggers } from "#lib/core/desk-triggers.ts";
import type { Desks } from "#lib/core/desks.ts";
import type { LiveDesks } from "#lib/core/live-desks.ts";
import type { RequestRow } from "#lib/core/record.ts";
import type { UserRequests } from "#lib/core/user-requests.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { RequestReply } from "#lib/protocol/views.ts";
import { callView } from "./call-view.ts";
import { deskView } from "./desk-view.ts";
import type { RecordHeads } from "./record-heads.ts";
import { byUrgency, RequestViews } from "./request-view.ts";
import type { Services } from "./services.ts";

interface Parts {
  deps: CoreDeps;
  heads: RecordHeads;
  live: LiveDesks;
  desks: Desks;
  triggers: DeskTriggers;
  requests: UserRequests;
  version: string;
  database: string;
  recordFailure: () => string | null;
}

/** What the doors call, on the running domain. */
export function runtimeServices(parts: Parts): Services {
  const { deps, heads, live, desks, triggers, requests } = parts;
  const { store } = deps;
  const views = new RequestViews(live, requests, deps);
  const showDesk = async (name: string) => deskView(await desks.read(name), store, live);

  /** A request after something was done about it; a conflict tells how it stands in the same form. */
  async function shown(work: () => Promise<RequestRow>): Promise<RequestReply> {
    // Read before the row is, so that the row is never older than it says.
    const asOf = heads.position;
    try {
      return { ...(await views.view(await work(), true)), asOf };
    } catch (error) {
      if (!isAppError(error) || error.details.request === undefined) throw error;
      const request = { ...(await views.view(error.details.request as RequestRow, false)), asOf };
      throw new AppError(error.code, error.message, { ...error.details, request });
    }
  }

  return {
    async health() {
      await store.policy();
      return {
        status: parts.recordFailure() === null ? "ok" : "read_only",
        version: parts.version,
        database: parts.database,
      };
    },

    async listDesks() {
      const asOf = heads.position;
      const rows = await store.desks();
      return { asOf, desks: await Promise.all(rows.map((desk) => deskView(desk, store, live))) };
    },
    readDesk: showDesk,
    async createDesk(body, by) {
      const desk = await desks.create(body, by.name);
      return showDesk(desk.name);
    },
    async changeDesk(name, body, by) {
      await desks.change(name, body, by.name);
      return showDesk(name);
    },
    sendMessage: async (name, body, by) => ({ triggerId: await triggers.send(name, body, by.name) }),
    stopDesk: (name, body, by) => desks.stop(name, body.all, by.name),
    async pauseDesk(name, by) {
      await desks.pause(name, by.name);
      return showDesk(name);
    },
    pauseAll: async (by) => ({ paused: await desks.pauseAll(by.name) }),
    async deskTools(name) {
      await desks.read(name);
      return live.find(name)?.executor.registry.listing() ?? [];
    },

    async listEvents(query) {
      const { desk, kind, tool, trigger, q, after, before, limit } = query;
      return store.events({
        ...(desk !== undefined && { desk }),
        ...(kind !== undefined && { kinds: kind }),
        ...(tool !== undefined && { tool }),
        ...(trigger !== undefined && { triggerId: trigger }),
        ...(q !== undefined && { text: q }),
        ...(after !== undefined && { after }),
        ...(before !== undefined && { before }),
        limit,
      });
    },
    async listCalls(query) {
      const { desk, trigger, tool, status, before, limit } = query;
      const rows = await store.calls({
        ...(desk !== undefined && { deskName: desk }),
        ...(trigger !== undefined && { triggerId: trigger }),
        ...(tool !== undefined && { name: tool }),
        ...(status !== undefined && { statuses: status }),
        ...(before !== undefined && { before }),
        order: "newest",
        limit: limit + 1,
      });
      return { calls: rows.slice(0, limit).map(callView), more: rows.length > limit };
    },

    async listRequests(query) {
      const asOf = heads.position;
      const rows = await store.requests({
        ...(query.desk !== undefined && { deskName: query.desk }),
        states: query.state ?? ["pending"],
        order: query.state ? "newest" : "oldest",
        limit: query.state ? query.limit : limits.pageRows,
      });
      const sorted = query.state ? rows : rows.toSorted(byUrgency).slice(0, query.limit);
      return { asOf, requests: await Promise.all(sorted.map((row) => views.view(row, false))) };
    },
    readRequest: (id) => shown(() => requests.read(id)),
    decideRequest: (id, body, by) => shown(() => requests.decide(id, body, by.name)),
    checkRequest: (id, args) => requests.check(id, args),
    answerRequest: (id, body, by) => shown(() => requests.answer(id, body, by.name)),
    dismissRequest: (id, by) => shown(() => requests.dismiss(id, by.name)),
    resolveRequest: (id, body, by) => shown(() => requests.resolve(id, body, by.name)),

    async readPicture(id) {
      const picture = await store.picture(id);
      if (!picture)
        throw new AppError("not_found", `there is no picture ${id.slice(0, 80)}`, {
          field: "id",
          given: id.slice(0, 80),
        });
      return picture;
    },
  };
}

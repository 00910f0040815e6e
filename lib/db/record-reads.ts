import { AppError } from "#lib/core/app-error.ts";
import type { Store } from "#lib/core/ports/store.ts";
import type { RuleRow } from "#lib/core/record.ts";
import type { PrismaClient } from "./generated/sqlite/client.ts";
import { readEvent, readEvents, readHeads } from "./read-events.ts";
import { countRequests, readRequests } from "./read-requests.ts";
import { countTriggers, readCalls, readTriggers } from "./read-rows.ts";
import { recordFailure } from "./record-failure.ts";
import { fromStoredRow } from "./rows.ts";
import { toStoredText } from "./stored-text.ts";

/** Every read of the store, on a client that only reads. */
export type RecordReads = Omit<Store, "commit" | "close">;

/** The rules, read once and kept until a rule changes: only this process writes. */
export class PolicyCache {
  readonly #client: PrismaClient;
  #kept: Promise<{ version: number; rules: RuleRow[] }> | null = null;

  constructor(client: PrismaClient) {
    this.#client = client;
  }

  async read(): Promise<{ version: number; rules: RuleRow[] }> {
    this.#kept ??= this.#load();
    const { version, rules } = await this.#kept;
    return { version, rules: [...rules] };
  }

  forget(): void {
    this.#kept = null;
  }

  async #load(): Promise<{ version: number; rules: RuleRow[] }> {
    try {
      // One statement each, but the version is read first: rules that are newer than their version make a unit fail on
      // its condition, never pass.
      const policy = await this.#client.policy.findUnique({ where: { id: 1 } });
      const rules = await this.#client.policyRule.findMany({ orderBy: { id: "asc" } });
      return { version: policy?.version ?? 0, rules: rules.map((rule) => fromStoredRow("rule", rule)) };
    } catch (error) {
      this.#kept = null;
      throw error;
    }
  }
}

/**
 * The reads on a client of their own. They throw an AppError `record_unavailable` where they cannot be done, and once
 * the record is closed: the client would open it again.
 */
export function recordReads(client: PrismaClient, policy: PolicyCache, isClosed: () => boolean): RecordReads {
  const reads = readsOn(client, policy);
  const guarded = Object.entries(reads).map(([name, read]: [string, (...given: never[]) => Promise<unknown>]) => {
    const guardedRead = async (...given: never[]) => {
      if (isClosed()) throw new AppError("record_unavailable", "The record is closed.");
      try {
        return await read(...given);
      } catch (error) {
        throw recordFailure(error);
      }
    };
    return [name, guardedRead];
  });
  return Object.fromEntries(guarded) as RecordReads;
}

function readsOn(client: PrismaClient, policy: PolicyCache): RecordReads {
  return {
    async desk(name) {
      const stored = await client.desk.findUnique({ where: { name: toStoredText(name) } });
      return stored && fromStoredRow("desk", stored);
    },
    async desks() {
      const found = await client.desk.findMany({ orderBy: { name: "asc" } });
      return found.map((stored) => fromStoredRow("desk", stored));
    },
    async trigger(id) {
      const stored = await client.trigger.findUnique({ where: { id: toStoredText(id) } });
      return stored && fromStoredRow("trigger", stored);
    },
    async triggerByClientId(deskName, clientId) {
      const key = { deskName: toStoredText(deskName), clientId: toStoredText(clientId) };
      const stored = await client.trigger.findUnique({ where: { deskName_clientId: key } });
      return stored && fromStoredRow("trigger", stored);
    },
    triggers: (query) => readTriggers(client, query),
    countTriggers: (query) => countTriggers(client, query),
    async call(id) {
      const stored = await client.toolCall.findUnique({ where: { id: toStoredText(id) } });
      return stored && fromStoredRow("call", stored);
    },
    calls: (query) => readCalls(client, query),
    async request(id) {
      const stored = await client.userRequest.findUnique({ where: { id: toStoredText(id) } });
      return stored && fromStoredRow("request", stored);
    },
    requests: (query) => readRequests(client, query),
    countRequests: (query) => countRequests(client, query),
    policy: () => policy.read(),
    async picture(id) {
      const stored = await client.picture.findUnique({ where: { id: toStoredText(id) } });
      return stored && fromStoredRow("picture", stored);
    },
    async paperOrder(key) {
      const stored = await client.paperOrder.findUnique({ where: { key: toStoredText(key) } });
      return stored && fromStoredRow("paperOrder", stored);
    },
    async paperOrders(deskName) {
      const where = { deskName: toStoredText(deskName) };
      const found = await client.paperOrder.findMany({ where, orderBy: { id: "asc" } });
      return found.map((stored) => fromStoredRow("paperOrder", stored));
    },
    async notes(deskName, limit) {
      const where = { deskName: toStoredText(deskName) };
      const found = await client.note.findMany({ where, orderBy: { id: "desc" }, take: limit });
      return found.map((stored) => fromStoredRow("note", stored));
    },
    events: (query) => readEvents(client, query),
    event: (position) => readEvent(client, position),
    heads: () => readHeads(client),
    async highestRequestNumber() {
      const { _max: highest } = await client.userRequest.aggregate({ _max: { number: true } });
      return highest.number ?? 0;
    },
  };
}

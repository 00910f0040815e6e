import { join } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PrismaClient } from "#lib/db/generated/sqlite/client.ts";
import { PolicyCache, recordReads, type RecordReads } from "#lib/db/record-reads.ts";
import { message, requestRow, unit } from "#tests/support/record-rows.ts";
import { openTestRecord, type TestRecord } from "#tests/support/record.ts";

const page = { limit: 5 };
const newest = { order: "newest", limit: 5 } as const;
const next = { order: "next", limit: 5 } as const;
const kinds = ["message", "tool_call"] as const;
const decided = { states: ["denied", "completed"], kinds: ["permission"], decidedSince: "2026" } as const;

/** What is read, and the table and index that SQLite must find it by. */
const plans: [string, (reads: RecordReads) => Promise<unknown>, string][] = [
  ["events after", (reads) => reads.events({ ...page, after: 0 }), "Event USING INDEX sqlite_autoindex_Event_1"],
  ["events of a desk", (reads) => reads.events({ ...page, desk: "majors" }), "Event_deskName_position_idx"],
  ["events of kinds", (reads) => reads.events({ ...page, kinds }), "Event_kind_position_idx"],
  [
    "events of kinds of a desk",
    (reads) => reads.events({ ...page, kinds, desk: "majors" }),
    "Event_deskName_kind_position_idx",
  ],
  [
    "events of a tool",
    (reads) => reads.events({ ...page, tool: "x", desk: "majors", kinds }),
    "Event_tool_position_idx",
  ],
  [
    "events of a trigger",
    (reads) => reads.events({ ...page, triggerId: "T1", tool: "x", desk: "majors", kinds }),
    "Event_triggerId_position_idx",
  ],
  ["heads", (reads) => reads.heads(), "Event_deskName_seq_key"],
  ["requests of a desk", (reads) => reads.requests({ ...newest, deskName: "majors" }), "UserRequest_deskName_id_idx"],
  ["requests of states", (reads) => reads.requests({ ...newest, states: ["denied"] }), "UserRequest_state_id_idx"],
  [
    "requests of states of a desk",
    (reads) => reads.requests({ ...newest, states: ["pending", "denied"], deskName: "majors" }),
    "UserRequest_deskName_state_id_idx",
  ],
  [
    "expired requests",
    (reads) => reads.requests({ ...newest, states: ["pending"], expiredAt: "x" }),
    "UserRequest_state_id_idx",
  ],
  [
    "requests of a trigger",
    (reads) => reads.requests({ ...newest, triggerId: "T1" }),
    "UserRequest_triggerId_state_id_idx",
  ],
  [
    "equal requests",
    (reads) => reads.requests({ ...newest, ...decided, identity: "x", deskName: "majors" }),
    "UserRequest_identity_deskName_state_id_idx",
  ],
  ["how many requests wait", (reads) => reads.countRequests({ states: ["pending"] }), "UserRequest_state_id_idx"],
  ["the highest number", (reads) => reads.highestRequestNumber(), "UserRequest_number_key"],
  ["triggers of a desk", (reads) => reads.triggers({ ...newest, deskName: "majors" }), "Trigger_deskName_id_idx"],
  [
    "the next trigger of a desk",
    (reads) => reads.triggers({ ...next, deskName: "majors", states: ["queued", "running"] }),
    "Trigger_deskName_state_priority_id_idx",
  ],
  ["the next triggers", (reads) => reads.triggers({ ...next, states: ["queued"] }), "Trigger_state_priority_id_idx"],
  ["a client's trigger", (reads) => reads.triggerByClientId("majors", "x"), "Trigger_deskName_clientId_key"],
  [
    "calls of a desk",
    (reads) => reads.calls({ ...newest, deskName: "majors", before: "C9" }),
    "ToolCall_deskName_id_idx",
  ],
  ["calls of a trigger", (reads) => reads.calls({ ...newest, triggerId: "T1" }), "ToolCall_triggerId_status_id_idx"],
  ["calls of a request", (reads) => reads.calls({ ...newest, requestId: "R1" }), "ToolCall_requestId_status_id_idx"],
  [
    "calls of a trigger in statuses",
    (reads) => reads.calls({ ...newest, triggerId: "T1", deskName: "majors", statuses: ["failed", "held"] }),
    "ToolCall_triggerId_status_id_idx",
  ],
  [
    "calls of a desk in statuses",
    (reads) => reads.calls({ ...newest, deskName: "majors", statuses: ["failed", "held"] }),
    "ToolCall_deskName_status_id_idx",
  ],
  [
    "calls of a tool of a desk",
    (reads) => reads.calls({ ...newest, name: "x", deskName: "majors" }),
    "ToolCall_deskName_name_id_idx",
  ],
  [
    "requests of a trigger in states",
    (reads) => reads.requests({ ...newest, triggerId: "T1", states: ["pending", "approved"] }),
    "UserRequest_triggerId_state_id_idx",
  ],
  ["calls of a tool", (reads) => reads.calls({ ...newest, name: "x" }), "ToolCall_name_id_idx"],
  ["calls of statuses", (reads) => reads.calls({ ...newest, statuses: ["running", "held"] }), "ToolCall_status_id_idx"],
  ["an order by its key", (reads) => reads.paperOrder("x"), "PaperOrder_key_key"],
  ["orders of a desk", (reads) => reads.paperOrders("majors"), "PaperOrder_deskName_id_idx"],
  ["notes of a desk", (reads) => reads.notes("majors", 5), "Note_deskName_id_idx"],
];

let record: TestRecord;
let client: PrismaClient;
let explaining: Database.Database;
let reads: RecordReads;
const statements: { sql: string; args: unknown[] }[] = [];

/** Notes what Prisma sends. */
class ListeningFactory extends PrismaBetterSqlite3 {
  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = (query) => {
      statements.push(query);
      return queryRaw(query);
    };
    return adapter;
  }
}

beforeAll(async () => {
  record = await openTestRecord();
  const changes = [{ insert: "request", row: requestRow({ expiresAt: "abc" }) } as const];
  await record.store.commit(unit({ changes, events: [message("majors", "a", "T1"), message("majors", "b")] }));
  const file = join(record.dataDir, "deskboard.db");
  client = new PrismaClient({ adapter: new ListeningFactory({ url: `file:${file}` }) });
  explaining = new Database(file, { readonly: true });
  reads = recordReads(client, new PolicyCache(client), () => false);
});

afterAll(async () => {
  explaining.close();
  await client.$disconnect();
  await record.remove();
});

test.each(plans)("P11: %s are found by an index, without sorting a table", async (_, read, index) => {
  statements.length = 0;
  await read(reads);
  const steps = statements.flatMap(({ sql, args }) => {
    const plan = explaining.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...args) as { detail: string }[];
    return plan.map((step) => step.detail);
  });
  const found = steps.filter((step) => step.startsWith("SEARCH") || step.includes("COVERING INDEX"));
  expect(found.join("\n")).toContain(index);
  // A scan by an index is a walk in its order, which the limit ends.
  expect(steps.filter((step) => /^SCAN (main\.)?[A-Z]\w+$/.test(step))).toEqual([]);
  // Heads, one page, and what belongs to one trigger, request or call are few.
  const areFew = steps.some((step) => step.startsWith("MERGE")) || /seq_key|triggerId|requestId|identity/.test(index);
  expect(areFew || !steps.some((step) => step.includes("TEMP B-TREE"))).toBe(true);
});

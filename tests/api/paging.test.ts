import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DeskEvent } from "#lib/protocol/events.ts";
import type { EventPage } from "#lib/protocol/views.ts";
import { ToldDesk } from "#tests/support/told-desk.ts";

let dataDir: string;
let desk: ToldDesk;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "deskboard-paging-"));
  desk = await ToldDesk.start({ dataDir });
});

afterAll(async () => {
  await desk.server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** What a page of events shows of each; the payload too. */
const fingerprint = ({ position, deskName, seq, kind, hash, payload }: DeskEvent | EventPage["events"][number]) =>
  `${position} ${deskName} ${seq} ${kind} ${hash} ${JSON.stringify(payload)}`;

function databaseEvents(): string[] {
  const database = new DatabaseSync(join(dataDir, "deskboard.db"), { readOnly: true });
  const rows = database.prepare('SELECT * FROM "Event" ORDER BY "position"').all();
  database.close();
  return rows.map((row) =>
    fingerprint({ ...row, payload: JSON.parse(String(row["payload"])) as unknown } as DeskEvent),
  );
}

/** Reads forward until it has all up to the head, and `done` says that no more comes. */
async function readForward(limit: number, done: () => boolean, filter = ""): Promise<string[]> {
  const seen: string[] = [];
  let after = 0;
  for (;;) {
    const last = done();
    const page = await desk.get<EventPage>(`/api/events?after=${after}&limit=${limit}${filter}`);
    seen.push(...page.events.map(fingerprint));
    after = page.events.at(-1)?.position ?? after;
    if (!page.more && page.events.length === 0 && last) return seen;
  }
}

it("P11: read forward in pages of any size, while events are added, it is what the database has", async () => {
  let writing = true;
  const write = async () => {
    for (let round = 0; round < 15; round += 1) {
      await Promise.all([
        desk.tell(
          { name: "get_quote", arguments: { symbol: "EURUSD" } },
          { name: "write_note", arguments: { text: `ü\0${round}` } },
        ),
        desk.send("/api/desks", { name: `desk-${round}`, backends: ["playbook:told"], toolsets: ["notes"] }),
        desk.send(`/api/desks/desk-${round}/messages`, { text: `to ${round}` }),
      ]);
    }
    writing = false;
  };
  const sizes = [1, 3, 17, 100, 500];
  const [, ...readers] = await Promise.all([write(), ...sizes.map((size) => readForward(size, () => !writing))]);
  // Something may have ended after a reader's last page: what each saw is the beginning of what the database has.
  const all = databaseEvents();
  expect(all.length).toBeGreaterThan(150);
  for (const [index, seen] of readers.entries()) {
    expect(seen, `pages of ${sizes[index]}`).toEqual(all.slice(0, seen.length));
    expect(all.length - seen.length).toBeLessThan(10);
  }
  const whole = await readForward(50, () => true);
  expect(whole).toEqual(databaseEvents());
});

it("P11: read backward from the newest, it is the same, and so is each desk's part", async () => {
  const all = await readForward(500, () => true);
  const backward: string[] = [];
  let before: number | undefined;
  for (;;) {
    const cursor = before === undefined ? "" : `&before=${before}`;
    const page = await desk.get<EventPage>(`/api/events?limit=13${cursor}`);
    backward.unshift(...page.events.map(fingerprint));
    before = page.events[0]?.position;
    if (!page.more) break;
  }
  expect(backward).toEqual(all);
  const ofDesk = await readForward(7, () => true, "&desk=desk-3");
  expect(ofDesk).toEqual(all.filter((text) => text.split(" ")[1] === "desk-3"));
  const seqs = ofDesk.map((text) => Number(text.split(" ")[2]));
  expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
});

it("a cursor beyond the head gives nothing, and the head", async () => {
  const { head } = await desk.get<EventPage>("/api/events?limit=1");
  expect(await desk.get<EventPage>(`/api/events?after=${head}`)).toEqual({ events: [], head, more: false });
  expect(await desk.get<EventPage>("/api/events?after=999999999999999")).toMatchObject({ events: [], head });
  expect(await desk.get<EventPage>("/api/events?before=1")).toMatchObject({ events: [], head, more: false });
});

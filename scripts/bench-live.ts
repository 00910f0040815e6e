// How long an event takes from its commit to another browser's screen, at 50 events a second, beside a bare Socket.IO emit
// of the same size at the same rate in the same run. Needs the built pages. `node scripts/bench-live.ts [seconds]`
import { type ChildProcess, fork } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { chromium, type Page } from "playwright";
import { Server } from "socket.io";
import { io } from "socket.io-client";
import { bringBrowser } from "#scripts/launcher/browser.mjs";
import { liveClient, watch } from "#tests/support/live-client.ts";
import { askJson } from "#tests/support/http.ts";
import { startServer } from "#tests/support/server.ts";

const eventsPerSecond = 50;
/** A message makes so many events: itself, its trigger, and the begin and the end of its turn. */
const eventsPerMessage = 4;
/** One desk would put its turns in a queue, which has a cap. */
const desks = ["majors", "crypto", "hedges", "metals", "notes"];
const targetMs = 150;
const now = () => performance.timeOrigin + performance.now();

function summary(name: string, latencies: readonly number[]): { p50: number; p99: number } {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const [p50, p99] = [at(0.5), at(0.99)];
  console.log(`${name.padEnd(34)} p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms   (${sorted.length} events)`);
  return { p50, p99 };
}

/** In a process of its own: the other end of the bare emit. */
async function listenBare(url: string): Promise<void> {
  const latencies: number[] = [];
  const socket = io(url, { transports: ["websocket"] });
  socket.on("event", ({ sentAt }: { sentAt: number }) => void latencies.push(now() - sentAt));
  socket.on("connect", () => process.send?.("ready"));
  process.on("message", () => process.send?.(latencies, () => process.exit(0)));
}

function heardFrom<T>(child: ChildProcess): Promise<T> {
  return new Promise((heard) => child.once("message", (message) => heard(message as T)));
}

async function startBare() {
  const http = createServer();
  const bare = new Server(http, { transports: ["websocket"] });
  await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
  const child = fork(import.meta.filename, ["bare", `http://127.0.0.1:${(http.address() as AddressInfo).port}`]);
  await heardFrom(child);
  const payload = "x".repeat(400);
  const timer = setInterval(() => bare.emit("event", { sentAt: now(), payload }), 1_000 / eventsPerSecond);
  return async () => {
    clearInterval(timer);
    const latencies = heardFrom<number[]>(child);
    child.send("stop");
    const heard = await latencies;
    await bare.close();
    return heard;
  };
}

/** Notes when each row is on the screen: in the frame after the one that it was put in. */
async function watchScreen(page: Page): Promise<void> {
  await page.locator('[data-live="live"]').waitFor({ state: "attached" });
  await page.evaluate(() => {
    const shown: Record<string, number> = {};
    Object.assign(globalThis, { shown });
    const note = (records: MutationRecord[]) => {
      const added = records.flatMap((record) => [...record.addedNodes]).filter((node) => node instanceof HTMLElement);
      const rows = added.flatMap((node) => [node, ...node.querySelectorAll("li")]).filter(({ id }) => /^e\d/.test(id));
      requestAnimationFrame(() => {
        for (const row of rows) shown[row.id.slice(1)] ??= performance.timeOrigin + performance.now();
      });
    };
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true });
  });
}

async function bench(seconds: number): Promise<void> {
  const server = await startServer({ entry: "tests/support/desk-server.ts" });
  for (const name of desks) {
    await askJson(server.port, "POST", "/api/desks", { name, backends: ["playbook:told"], toolsets: ["notes"] });
  }
  const browser = await chromium.launch({ executablePath: await bringBrowser(), args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto(server.url);
  await watchScreen(page);
  const committed = new Map<number, number>();
  const toSocket: number[] = [];
  const client = liveClient(server.url);
  await watch(client, "all");
  client.on("event", ({ position, at }) => {
    committed.set(position, Date.parse(at));
    toSocket.push(now() - Date.parse(at));
  });
  const stopBare = await startBare();
  const everyMs = (1_000 * eventsPerMessage) / eventsPerSecond;
  const sending: Promise<unknown>[] = [];
  const begun = now();
  for (let sent = 0; now() - begun < seconds * 1_000; sent += 1) {
    await wait(Math.max(0, begun + sent * everyMs - now()));
    sending.push(
      askJson(server.port, "POST", `/api/desks/${desks[sent % desks.length]}/messages`, { text: `word ${sent}` }),
    );
  }
  await Promise.all(sending);
  await page.locator(`#e${Math.max(...committed.keys())}`).waitFor({ state: "attached" });
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  const bareLatencies = await stopBare();
  const shown = await page.evaluate(() => (globalThis as unknown as { shown: Record<string, number> }).shown);
  const toScreen = [...committed].flatMap(([position, at]) => (shown[position] ? [shown[position] - at] : []));
  const rate = committed.size / seconds;
  console.log(
    `${rate.toFixed(1)} events a second for ${seconds} s; ${committed.size - toScreen.length} not on the screen`,
  );
  const bare = summary("bare Socket.IO emit, to a process", bareLatencies);
  summary("commit to another process's socket", toSocket);
  const screen = summary("commit to another browser's screen", toScreen);
  const ratio = `${(screen.p50 / bare.p50).toFixed(1)} times the bare emit at p50, ${(screen.p99 / bare.p99).toFixed(1)} at p99`;
  console.log(`${ratio}; the target is p99 under ${targetMs} ms: ${screen.p99 < targetMs ? "met" : "missed"}`);
  client.disconnect();
  await browser.close();
  await server.stop();
}

const [first, second] = process.argv.slice(2);
if (first === "bare" && second !== undefined) await listenBare(second);
else await bench(Number(first ?? 20));

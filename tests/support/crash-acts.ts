import { once } from "node:events";
import { isAppError } from "#lib/core/app-error.ts";
import type { RequestRow } from "#lib/core/record.ts";
import type { RequestKind } from "#lib/protocol/states.ts";
import type { RequestView } from "#lib/protocol/views.ts";
import { allowRule } from "./crash-rule.ts";
import type { Act, Report } from "./crash-script.ts";
import type { World } from "./crash-world.ts";

/** The desk of the suite, and who decides about it. */
export const deskName = "majors";
const ann = { name: "ann" };

/** Does the acts one after another. What a caller is refused is reported, and the next act goes on. */
export async function doActs(acts: readonly Act[], world: World): Promise<void> {
  for (const act of acts) {
    try {
      await doAct(act, world);
    } catch (error) {
      if (!isAppError(error) || error.code === "record_unavailable") throw error;
      await world.tell({ report: "refused", act: act.do, code: error.code });
    }
  }
}

async function doAct(act: Act, world: World): Promise<void> {
  const { services, store } = world.runtime;
  switch (act.do) {
    case "send":
      return send(act.text, act.clientId, world);
    case "sendMany": {
      const sent = Array.from({ length: act.count }, (_, index) => send(`say ${index}`, `client-${index}`, world));
      await Promise.all(sent);
      return;
    }
    case "createDesk":
      await services.createDesk({ ...deskBody, name: act.name }, ann);
      return world.tell({ report: "deskStatus", desk: act.name, status: "active" });
    case "capCalls":
      await services.changeDesk(deskName, { caps: { callsPerTurn: act.callsPerTurn } }, ann);
      return;
    case "allow":
      return world.tell({ report: "ruled", ruleId: await allowRule(store, act.arguments) });
    case "resolve": {
      const body = { outcome: act.outcome, note: "Looked it up." };
      return decided("resolved", world, "uncertain", (request) => services.resolveRequest(request.id, body, ann));
    }
    case "stop": {
      const { stopped, cancelled } = await services.stopDesk(deskName, { all: act.all }, ann);
      return world.tell({ report: "stopped", triggers: stopped, requests: cancelled });
    }
    case "pause":
      await services.pauseDesk(deskName, ann);
      return world.tell({ report: "deskStatus", desk: deskName, status: "paused" });
    case "resume":
      await services.changeDesk(deskName, { status: "active" }, ann);
      return world.tell({ report: "deskStatus", desk: deskName, status: "active" });
    case "rest":
      return until(world, () => atRest(world));
    case "later":
      return world.later(act.ms);
    case "release":
      world.release();
      return until(world, async () => (await pending(world, "uncertain")) === undefined);
    case "reach":
      return world.points.passed(act.point);
    case "stay":
      process.stdin.resume();
      await once(process.stdin, "end");
      return;
    case "approveEdited":
      return decided("approved", world, "permission", async ({ id }) => {
        const { digest } = await services.checkRequest(id, act.arguments);
        return services.decideRequest(id, { decision: "approve", digest, arguments: act.arguments }, ann);
      });
    case "approve":
    case "approveNewest":
    case "deny":
    case "answer":
    case "dismiss":
      return decide(act.do, world);
  }
}

/** What the desk of the suite is made of. */
export const deskBody = {
  name: deskName,
  instructions: "",
  backends: ["first", "second"],
  toolsets: ["ask_user", "market", "notes", "paper_account", "wires"],
};

async function send(text: string, clientId: string | undefined, world: World): Promise<void> {
  const body = { text, ...(clientId !== undefined && { clientId }) };
  const { triggerId } = await world.runtime.services.sendMessage(deskName, body, ann);
  await world.tell({ report: "accepted", triggerId, text, clientId: clientId ?? null });
}

function decide(act: "approve" | "approveNewest" | "deny" | "answer" | "dismiss", world: World): Promise<void> {
  const { services } = world.runtime;
  if (act === "dismiss") {
    return decided("dismissed", world, "question", ({ id }) => services.dismissRequest(id, ann));
  }
  if (act === "answer") {
    const answers = [{ questionId: "q1", optionIds: [], other: answerWords }];
    return decided("answered", world, "question", ({ id }) => services.answerRequest(id, { answers }, ann));
  }
  const decision = act === "deny" ? "deny" : "approve";
  const work = async ({ id }: RequestRow) => {
    const { digest } = await services.readRequest(id);
    return services.decideRequest(id, { decision, digest: digest ?? "" }, ann);
  };
  return decided(act === "deny" ? "denied" : "approved", world, "permission", work, act === "approveNewest");
}

/** The words of the suite's answer. */
export const answerWords = "Only before the close.";

type DecidedTo = Extract<Report, { report: "decided" }>["to"];

async function decided(
  to: DecidedTo,
  world: World,
  kind: RequestKind,
  work: (request: RequestRow) => Promise<RequestView>,
  newest = false,
): Promise<void> {
  await until(world, async () => (await pending(world, kind)) !== undefined);
  const request = (await pending(world, kind, newest)) as RequestRow;
  await work(request);
  await world.tell({ report: "decided", requestId: request.id, to });
}

async function pending(world: World, kind: RequestKind, newest = false): Promise<RequestRow | undefined> {
  const order = newest ? "newest" : "oldest";
  const query = { deskName, kinds: [kind], states: ["pending"], order, limit: 1 } as const;
  return (await world.runtime.store.requests(query))[0];
}

/** Whether nothing runs, and nothing waits that may run. */
async function atRest({ runtime }: World): Promise<boolean> {
  const { store } = runtime;
  const running = await store.triggers({ states: ["running"], order: "next", limit: 1 });
  const calls = await store.calls({ statuses: ["recorded", "running"], order: "oldest", limit: 1 });
  const requests = await store.requests({ states: ["approved", "running"], order: "oldest", limit: 1 });
  if (running.length + calls.length + requests.length > 0) return false;
  for (const { name, status } of await store.desks()) {
    if (status === "active" && (await store.countTriggers({ deskName: name, states: ["queued"] })) > 0) return false;
  }
  return true;
}

/** Waits until it holds: looks again with every event. */
async function until({ runtime }: World, holds: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const next = Promise.withResolvers<void>();
    const end = runtime.bus.subscribe(() => next.resolve());
    const isSo = await holds();
    if (!isSo) await next.promise;
    end();
    if (isSo) return;
  }
}

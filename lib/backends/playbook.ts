import { answerDataSchema, outcomeDataSchema, type AnswerData, type OutcomeData } from "#lib/core/outcome-data.ts";
import type { Backend, BackendTurn, Schedule } from "#lib/core/ports/backend.ts";

/**
 * A strategy as its author writes it: what to do on each kind of trigger. It acts only through `turn.call` and speaks
 * only through `turn.say`. It should remember nothing in memory: after a crash the same trigger comes again, with
 * `turn.completedCalls` showing what was done.
 */
export interface PlaybookSpec {
  /** Desks name it `playbook:<name>`. */
  name: string;
  /** How often `onSchedule` is called. */
  schedule?: Schedule;
  onSchedule?(turn: BackendTurn): Promise<void>;
  /** A person wrote `turn.trigger.text`. */
  onMessage?(turn: BackendTurn): Promise<void>;
  /** People answered what was asked with `ask_user`. */
  onAnswer?(turn: BackendTurn, answer: AnswerData): Promise<void>;
  /** What became of a held call, of a question without an answer, or of a call of unknown outcome. */
  onOutcome?(turn: BackendTurn, outcome: OutcomeData): Promise<void>;
  onWebhook?(turn: BackendTurn): Promise<void>;
}

/** Makes a backend of a strategy. A trigger that it has no handler for ends its turn without a word, but for a message. */
export function definePlaybook(spec: PlaybookSpec): Backend {
  return {
    name: `playbook:${spec.name}`,
    ...(spec.schedule && { schedule: spec.schedule }),
    async run(turn) {
      switch (turn.trigger.kind) {
        case "schedule":
          await spec.onSchedule?.(turn);
          return;
        case "message":
          if (spec.onMessage) await spec.onMessage(turn);
          else await turn.say("This desk runs a playbook that does not read messages.");
          return;
        case "answer":
          await spec.onAnswer?.(turn, answerDataSchema.parse(turn.trigger.data));
          return;
        case "outcome":
          await spec.onOutcome?.(turn, outcomeDataSchema.parse(turn.trigger.data));
          return;
        case "webhook":
          await spec.onWebhook?.(turn);
          return;
        case "agent":
          // An outside agent does its own turn.
          return;
      }
    },
  };
}

import { cutText } from "#lib/core/canonical.ts";
import type { AnswerData } from "#lib/core/outcome-data.ts";
import type { BackendTurn } from "#lib/core/ports/backend.ts";
import { quoted } from "#lib/core/request-texts.ts";
import { limits } from "#lib/protocol/limits.ts";
import { levelOfLabel, stopInWords, subjectOfQuestion } from "./stop-question.ts";
import { noteBeginning } from "./trend-notes.ts";
import type { Direction } from "./trend-signal.ts";
import { keepOff, viewOf, type TrendView } from "./trend-turn.ts";

/** Keeps the stop that people chose, or what they wrote instead. */
export async function onAnswer(turn: BackendTurn, answer: AnswerData): Promise<void> {
  const view = await viewOf(turn);
  for (const { question, labels, other } of answer.answers) {
    const subject = subjectOfQuestion(question);
    if (!subject) continue;
    const level = levelOfLabel(labels[0] ?? "");
    if (other !== null) await takeWords(view, answer, subject, other);
    else if (level !== null) await keepStop(view, answer, subject, { level, chosen: quoted(labels[0] ?? "") });
  }
}

type Subject = { symbol: string; direction: Direction };

async function takeWords(view: TrendView, answer: AnswerData, subject: Subject, words: string): Promise<void> {
  const { symbol, direction } = subject;
  const quote = await view.calls.quote(symbol);
  const read = stopInWords(words, quote.mid, direction);
  if (read.stop !== null) {
    await keepStop(view, answer, subject, { level: read.stop, chosen: quoted(words) });
    return;
  }
  const said = `${answer.by} wrote to ${answer.label}: ${quoted(words)}. ${read.why}, so the ${symbol} ${direction} has no stop yet; the words are in my notes.`;
  await keepOff(view, { symbol, what: "stop" }, { said, noted: `${answer.label} was answered by ${answer.by}`, words });
}

async function keepStop(
  view: TrendView,
  answer: AnswerData,
  { symbol, direction }: Subject,
  { level, chosen }: { level: string; chosen: string },
): Promise<void> {
  const { calls, turn } = view;
  const beginning = noteBeginning.stop(symbol, direction);
  if (calls.hasNoted(beginning)) return;
  const what =
    level === "none"
      ? `I keep no stop for the ${symbol} ${direction}.`
      : `I keep ${level} as the stop of the ${symbol} ${direction}, and ask to close it when the price is through.`;
  await turn.say(`${answer.by} answered ${answer.label}: ${chosen}. ${what}`);
  const note = `${beginning}${level}. Chosen by ${answer.by} (${answer.label}): ${chosen}`;
  await calls.writeNote(cutText(note, limits.noteCharacters));
}

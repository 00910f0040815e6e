import type { RequestState } from "#lib/protocol/states.ts";
import type { RequestView } from "#lib/protocol/views.ts";
import { InertValue } from "#components/inert-value.tsx";
import { timeOfDay } from "#components/times.ts";
import { classes } from "#components/ui/classes.ts";
import { QuotedWords } from "./quoted-words.tsx";

const resolutions: Record<string, string> = {
  ran: "it ran",
  didNotRun: "it did not run",
  runAgain: "run it again",
};

interface OutcomeWords {
  words: string;
  look: "done" | "failed" | "plain";
}

const byWhom = ({ decidedBy, decidedAt }: RequestView) =>
  `by ${decidedBy ?? "someone"}${decidedAt === null ? "" : ` at ${timeOfDay(decidedAt)}`}`;

const done = (words: string): OutcomeWords => ({ words, look: "done" });
const failed = (words: string): OutcomeWords => ({ words, look: "failed" });
const plain = (words: string): OutcomeWords => ({ words, look: "plain" });

const outcomes: Record<RequestState, (request: RequestView) => OutcomeWords> = {
  pending: () => plain("No longer waits here; reading what became of it."),
  approved: (request) => done(`Approved ${byWhom(request)}. It starts now.`),
  running: (request) => done(`Approved ${byWhom(request)}. It runs.`),
  completed: (request) => done(`Approved ${byWhom(request)}. It ran.`),
  failed: (request) => failed(`Approved ${byWhom(request)}. It failed.`),
  uncertain: (request) => failed(`Approved ${byWhom(request)}. Whether it ran is not known.`),
  denied: (request) => failed(`Denied ${byWhom(request)}. It did not run.`),
  answered: (request) => done(`Answered ${byWhom(request)}.`),
  dismissed: (request) => plain(`Dismissed ${byWhom(request)}, without an answer.`),
  expired: ({ kind }) => plain(kind === "question" ? "Expired without an answer." : "Expired. It did not run."),
  cancelled: (request) => plain(`Cancelled${request.decidedBy === null ? "" : ` ${byWhom(request)}`}. It did not run.`),
  resolved: (request) => done(`Closed ${byWhom(request)}: ${resolutions[request.decision ?? ""] ?? "resolved"}.`),
  settled: () => done("Settled by a late answer of the tool."),
};

const looks = { done: "text-done", failed: "text-failed", plain: "text-muted" } as const;

/** What became of a request, with the words and the result that go with it. */
export function RequestOutcome({ request }: { request: RequestView }) {
  const { words, look } = outcomes[request.state](request);
  return (
    <div className="flex flex-col gap-2">
      <output className={classes("font-medium", looks[look])}>
        <InertValue text={words} />
      </output>
      {request.note !== null && request.note !== "" && (
        <QuotedWords
          whose={request.decidedBy === null ? "The reason" : `The words of ${request.decidedBy}`}
          text={request.note}
        />
      )}
      {request.resultText !== null && <QuotedWords whose={`The result of ${request.tool}`} text={request.resultText} />}
    </div>
  );
}

import type { RequestView } from "#lib/protocol/views.ts";
import { InertValue } from "#components/inert-value.tsx";

/** What was answered, at each question: the labels, and the words letter for letter. */
export function AnswerList({ request }: { request: RequestView }) {
  if (!request.questions) return null;
  return (
    <dl className="flex flex-col gap-2">
      {request.questions.map((question) => {
        const answer = request.answers?.find((one) => one.questionId === question.id);
        const labels = question.options.filter((option) => answer?.optionIds.includes(option.id));
        return (
          <div key={question.id}>
            <dt className="text-muted">
              <InertValue text={question.question} />
            </dt>
            {labels.map((option) => (
              <dd key={option.id} className="font-medium">
                <InertValue text={option.label} />
              </dd>
            ))}
            {answer?.other !== undefined && (
              <dd className="border-s-2 border-line-strong ps-2">
                <InertValue text={answer.other} />
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

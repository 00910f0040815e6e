"use client";

import type { ReactNode } from "react";
import type { Question } from "#lib/protocol/questions.ts";
import { InertValue } from "#components/inert-value.tsx";
import { TextArea } from "#components/ui/text-area.tsx";
import { ChoiceRow } from "./choice-row.tsx";
import { OptionPreview } from "./option-preview.tsx";
import { type QuestionChoice, withOption, withOther, withOtherChosen } from "./answer-draft.ts";
import { useHighlight } from "./use-highlight.ts";

const otherId = "other";

interface QuestionFieldProps {
  /** Unique on the page. */
  name: string;
  deskName: string;
  question: Question;
  choice: QuestionChoice;
  disabled: boolean;
  /** What the server said was wrong with this answer. */
  failure: ReactNode;
  onChange: (choice: QuestionChoice) => void;
}

/** One question with its choices, the highlighted one's preview beside them, and a box for an answer in own words. */
export function QuestionField(props: QuestionFieldProps) {
  const { name, deskName, question, choice, disabled, failure, onChange } = props;
  const hasPreviews = question.options.some((option) => option.preview !== undefined);
  const first = question.options.find(({ id }) => choice.optionIds.includes(id)) ?? question.options[0];
  const { highlighted, highlight, hover } = useHighlight(first?.id ?? null);
  const type: "radio" | "checkbox" = question.multiSelect ? "checkbox" : "radio";
  const common = (id: string) => ({
    type,
    name,
    disabled,
    highlighted: hasPreviews && highlighted === id,
    onHighlight: () => highlight(id),
    onHover: (entered: boolean) => hover(id, entered),
  });
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" data-question={question.id}>
      <legend className="contents">
        <span className="flex flex-wrap items-baseline gap-2">
          <span className="rounded-sm border border-line-strong px-1.5 text-xs text-muted">
            <InertValue text={question.header} />
          </span>
          <InertValue text={question.question} className="font-semibold" />
          {question.multiSelect && <span className="text-xs text-muted">one or more</span>}
        </span>
      </legend>
      <div
        className={`grid overflow-clip rounded-lg border border-line-strong ${hasPreviews ? "sm:grid-cols-[2fr_3fr]" : ""}`}
      >
        <div className="min-w-0">
          {question.options.map((option) => (
            <ChoiceRow
              key={option.id}
              {...common(option.id)}
              checked={choice.optionIds.includes(option.id)}
              label={<InertValue text={option.label} />}
              description={<InertValue text={option.description} />}
              onChoose={() => onChange(withOption(question, choice, option.id))}
            />
          ))}
          <ChoiceRow
            {...common(otherId)}
            highlighted={false}
            onHighlight={() => {}}
            onHover={() => {}}
            checked={choice.otherChosen}
            label="Other"
            onChoose={(chosen) => onChange(withOtherChosen(question, choice, chosen))}
          >
            <TextArea
              label={`Other, in your own words: ${question.question}`}
              labelHidden
              placeholder="In your own words"
              value={choice.other}
              readOnly={disabled}
              onChange={(event) => onChange(withOther(question, choice, event.target.value))}
            />
            {choice.other !== "" && !choice.otherChosen && (
              <p className="text-xs text-waits">These words are not sent unless Other is chosen.</p>
            )}
          </ChoiceRow>
        </div>
        {hasPreviews && (
          <OptionPreview option={question.options.find(({ id }) => id === highlighted)} deskName={deskName} />
        )}
      </div>
      {failure}
    </fieldset>
  );
}

import type { QuestionOption } from "#lib/protocol/questions.ts";
import { InertMarkdown } from "#components/inert-markdown.tsx";
import { InertValue } from "#components/inert-value.tsx";
import { ScrollBox } from "#components/ui/scroll-box.tsx";

interface OptionPreviewProps {
  option: QuestionOption | undefined;
  deskName: string;
}

/** The preview of the highlighted choice. Its size does not depend on what is in it. */
export function OptionPreview({ option, deskName }: OptionPreviewProps) {
  return (
    <div className="relative h-56 min-h-40 border-line bg-ground max-sm:border-t sm:h-auto sm:border-s">
      {option?.preview === undefined ? (
        <p className="p-3 text-xs text-muted">
          {option ? "This choice has no preview." : "The preview of a choice shows here."}
        </p>
      ) : (
        <ScrollBox
          label={`Preview of ${option.label}`}
          className="absolute inset-0 overflow-x-hidden overflow-y-auto p-3"
        >
          <p className="pb-2 text-xs text-muted">
            <InertValue text={`${option.label}, in the words of ${deskName}`} />
          </p>
          <InertMarkdown text={option.preview} />
        </ScrollBox>
      )}
    </div>
  );
}

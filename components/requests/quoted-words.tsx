import { InertValue } from "#components/inert-value.tsx";
import { classes } from "#components/ui/classes.ts";
import { ScrollBox } from "#components/ui/scroll-box.tsx";

/** Longer words get a box of their own that scrolls. */
const longCharacters = 600;

interface QuotedWordsProps {
  /** Whose words they are, as Deskboard knows it. */
  whose: string;
  text: string;
  /** A desk's words are blue. */
  fromDesk?: boolean;
}

/** Somebody's words under a label that says whose they are. */
export function QuotedWords({ whose, text, fromDesk = false }: QuotedWordsProps) {
  return (
    <figure className="min-w-0">
      <figcaption className="text-xs text-muted">{whose}:</figcaption>
      <blockquote
        className={classes("border-s-2", fromDesk ? "border-words bg-words-ground" : "border-line-strong bg-raised")}
      >
        {text.length > longCharacters ? (
          <ScrollBox label={whose} className="max-h-60 overflow-y-auto px-2 py-1">
            <InertValue text={text} />
          </ScrollBox>
        ) : (
          <div className="px-2 py-1">
            <InertValue text={text} />
          </div>
        )}
      </blockquote>
    </figure>
  );
}

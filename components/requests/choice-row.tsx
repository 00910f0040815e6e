import { type ReactNode, useId } from "react";
import { classes } from "#components/ui/classes.ts";

interface ChoiceRowProps {
  type: "radio" | "checkbox";
  name: string;
  checked: boolean;
  disabled: boolean;
  /** Whether its preview shows. */
  highlighted: boolean;
  label: ReactNode;
  description?: ReactNode;
  onChoose: (checked: boolean) => void;
  onHighlight: () => void;
  onHover: (entered: boolean) => void;
  children?: ReactNode;
}

/** One choice: a radio button or a checkbox with its label, what it means, and what belongs to it. */
export function ChoiceRow(props: ChoiceRowProps) {
  const { type, name, checked, disabled, highlighted, label, description, children } = props;
  const id = useId();
  return (
    <div
      className={classes(
        "flex gap-2 border-s-2 px-3 py-2 not-last:border-b not-last:border-b-line",
        highlighted ? "border-s-words bg-words-ground" : "border-s-transparent",
      )}
      onMouseEnter={() => props.onHover(true)}
      onMouseLeave={() => props.onHover(false)}
      onFocus={props.onHighlight}
    >
      <input
        id={id}
        type={type}
        name={name}
        checked={checked}
        disabled={disabled}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        className="mt-0.5 size-4 shrink-0 accent-words"
        onChange={(event) => props.onChoose(event.target.checked)}
      />
      <div className="flex min-w-0 grow flex-col gap-1">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {description !== undefined && (
          <p id={`${id}-description`} className="text-muted">
            {description}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}

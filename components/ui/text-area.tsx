"use client";

import { type ComponentProps, useId } from "react";
import { classes } from "./classes.ts";

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "id"> {
  label: string;
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean;
}

/** A box for words, with its label; it grows with what is typed, up to a bound. */
export function TextArea({ label, labelHidden = false, className, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={labelHidden ? "sr-only" : "text-xs text-muted"}>
        {label}
      </label>
      <textarea
        id={id}
        dir="auto"
        rows={1}
        className={classes(
          "field-sizing-content max-h-60 min-h-8 w-full resize-none rounded-md border border-control bg-ground px-2 py-1.5",
          "max-sm:text-[1rem] sm:text-sm read-only:border-line read-only:text-muted",
          className,
        )}
        {...rest}
      />
    </div>
  );
}

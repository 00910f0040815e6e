"use client";

import { type ComponentProps, useId } from "react";

interface SelectProps extends Omit<ComponentProps<"select">, "id" | "className"> {
  label: string;
  options: readonly { value: string; label: string }[];
}

/** A choice from a short list, with its label before it. */
export function Select({ label, options, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 items-center gap-2">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      <select
        id={id}
        className="tap min-h-8 min-w-0 rounded-md border border-control bg-ground px-2 max-sm:text-[1rem]"
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

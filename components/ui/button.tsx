"use client";

import { Button as BaseButton } from "@base-ui/react/button";
import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

const looks = {
  plain: "border-line-strong bg-raised text-text hover:border-control",
  quiet: "border-transparent bg-transparent text-muted hover:bg-raised hover:text-text",
  good: "border-done bg-done text-on-solid hover:brightness-110",
  bad: "border-line-strong bg-raised text-failed hover:border-failed",
  badSolid: "border-failed bg-failed text-on-solid hover:brightness-110",
  strong: "border-text bg-text text-ground hover:opacity-90",
} as const;

export type ButtonLook = keyof typeof looks;

interface ButtonProps extends Omit<ComponentProps<typeof BaseButton>, "className"> {
  look?: ButtonLook;
  className?: string;
}

/** A button. A disabled one keeps the focus, so that the keyboard does not lose its place. */
export function Button({ look = "plain", className, ...rest }: ButtonProps) {
  return (
    <BaseButton
      focusableWhenDisabled
      className={classes(
        "tap inline-flex min-h-8 cursor-pointer items-center justify-center gap-2 rounded-md border px-3 py-1 text-left",
        "font-medium aria-disabled:cursor-default aria-disabled:opacity-60",
        looks[look],
        className,
      )}
      {...rest}
    />
  );
}

"use client";

import { type ReactNode, useRef } from "react";
import { Button, type ButtonLook } from "./button.tsx";
import { classes } from "./classes.ts";
import { ignoreRepeat, useArming } from "./use-arming.ts";

/** One thing that can be done, in two steps. */
export interface TwoStepChoice<Id extends string> {
  id: Id;
  /** On the first button; it ends in an ellipsis. */
  label: string;
  look?: ButtonLook;
  /** On the second button: what will be done, in full. */
  confirm: ReactNode;
  confirmLook: ButtonLook;
}

interface TwoStepProps<Id extends string> {
  choices: readonly TwoStepChoice<Id>[];
  /** What would be confirmed; when it changes, what was armed is not any more. */
  about: string;
  /** Shown where the second button will stand. */
  hint: ReactNode;
  /** While something is on its way nothing can be pressed. */
  busy: boolean;
  onConfirm: (id: Id) => void;
  /** Further buttons beside the first ones. */
  children?: ReactNode;
}

/** First buttons below, and above them, in a row that is always there, the second that confirms. */
export function TwoStep<Id extends string>(props: TwoStepProps<Id>) {
  const { choices, about, hint, busy, onConfirm, children } = props;
  const confirmRef = useRef<HTMLButtonElement>(null);
  const arming = useArming(about, confirmRef);
  const armed = choices.find((choice) => choice.id === arming.armed);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex min-h-9 items-stretch pointer-coarse:min-h-11">
        {armed ? (
          <Button
            key={armed.id}
            ref={confirmRef}
            look={armed.confirmLook}
            className="w-full select-none"
            disabled={!arming.ready}
            onBlur={arming.disarm}
            onKeyDown={arming.onConfirmKeyDown}
            // Some browsers take the focus away on a press, and that would disarm.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              arming.disarm();
              onConfirm(armed.id);
            }}
          >
            {armed.confirm}
          </Button>
        ) : (
          <p className="self-center text-xs text-dim">{hint}</p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {choices.map((choice, index) => (
          <Button
            key={choice.id}
            look={arming.armed === choice.id ? "plain" : (choice.look ?? "plain")}
            className={classes(index > 0 && index === choices.length - 1 && "ms-auto")}
            disabled={busy || !arming.awake}
            aria-pressed={arming.armed === choice.id}
            onKeyDown={ignoreRepeat}
            onClick={(event) => arming.arm(choice.id, event.currentTarget)}
          >
            {choice.label}
          </Button>
        ))}
        {children}
      </div>
    </div>
  );
}

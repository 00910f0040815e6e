"use client";

import { Menu as BaseMenu } from "@base-ui/react/menu";
import { useState } from "react";
import { Button, type ButtonLook } from "./button.tsx";
import { ignoreRepeat } from "./use-arming.ts";
import { useRested } from "./use-rested.ts";

interface MenuProps {
  label: string;
  /** For screen readers, where the label alone does not say what it is about. */
  fullLabel: string;
  look?: ButtonLook;
  disabled?: boolean;
  items: readonly { id: string; label: string; onChoose: () => void }[];
}

/** A button that opens a short list of things to do. */
export function Menu({ label, fullLabel, look = "plain", disabled = false, items }: MenuProps) {
  const [open, setOpen] = useState(false);
  // A double press must not choose what it opened.
  const rested = useRested(open ? "open" : null);
  return (
    <BaseMenu.Root modal={false} open={open} onOpenChange={setOpen}>
      <BaseMenu.Trigger
        disabled={disabled}
        render={<Button look={look} aria-label={fullLabel} className="px-2" onKeyDown={ignoreRepeat} />}
      >
        {label}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align="start" className="z-20">
          <BaseMenu.Popup className="flex flex-col rounded-lg border border-line-strong bg-raised p-1 shadow-lg outline-none">
            {items.map((item) => (
              <BaseMenu.Item
                key={item.id}
                disabled={!rested}
                onKeyDown={ignoreRepeat}
                onClick={item.onChoose}
                className="tap flex cursor-pointer items-center rounded-md px-3 py-1.5 text-failed outline-none data-highlighted:bg-failed-ground"
              >
                {item.label}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useRested } from "./use-rested.ts";

/** An armed button goes back by itself. */
const armedMs = 5_000;

/** Two steps: a first button arms, a second one elsewhere confirms. */
export interface Arming {
  /** The armed choice. */
  armed: string | null;
  /** Whether a first press counts. */
  awake: boolean;
  /** Whether the second press counts. */
  ready: boolean;
  arm: (choice: string, button: HTMLElement) => void;
  disarm: () => void;
  onConfirmKeyDown: (event: KeyboardEvent) => void;
}

/** Keeps a held-down key from pressing a button again and again. */
export function ignoreRepeat(event: KeyboardEvent): void {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}

/**
 * Holds the state of a two-step button. The second button, `confirm`, has the focus while it is there. It disarms on
 * Escape, after 5 s, when the focus leaves, and when `about`, which says what would be confirmed, changes.
 */
export function useArming(about: string, confirm: RefObject<HTMLElement | null>): Arming {
  const [state, setState] = useState<{ choice: string; about: string; count: number } | null>(null);
  const first = useRef<HTMLElement>(null);
  const current = state?.about === about ? state : null;
  const awake = useRested(about);
  const ready = useRested(current && `${about} ${current.count}`);

  const goBack = () => {
    if (document.activeElement === confirm.current) first.current?.focus();
    setState(null);
  };
  useEffect(() => {
    if (!current) return undefined;
    confirm.current?.focus();
    const timer = setTimeout(() => {
      if (document.activeElement === confirm.current) first.current?.focus();
      setState(null);
    }, armedMs);
    return () => clearTimeout(timer);
  }, [current, confirm]);

  return {
    armed: current?.choice ?? null,
    awake,
    ready,
    arm: (choice, button) => {
      first.current = button;
      setState((before) => ({ choice, about, count: (before?.count ?? 0) + 1 }));
    },
    disarm: () => setState(null),
    onConfirmKeyDown: (event) => {
      ignoreRepeat(event);
      if (event.key !== "Escape") return;
      event.stopPropagation();
      goBack();
    },
  };
}

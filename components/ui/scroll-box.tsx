import type { ReactNode } from "react";

interface ScrollBoxProps {
  /** What is in it, for screen readers. */
  label: string;
  className: string;
  children: ReactNode;
}

/** A part that scrolls by itself; it takes the focus, so that the keyboard can scroll it too. */
export function ScrollBox({ label, className, children }: ScrollBoxProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className={className}>
      {children}
    </section>
  );
}

import type { ReactNode } from "react";
import { classes } from "./classes.ts";

const looks = {
  failed: "border-failed bg-failed-ground text-text",
  waits: "border-waits bg-waits-ground text-text",
  plain: "border-line-strong bg-raised text-text",
} as const;

interface NoticeProps {
  look: keyof typeof looks;
  /** Read out at once. */
  alert?: boolean;
  className?: string;
  children: ReactNode;
}

/** A few words that somebody should see, framed. */
export function Notice({ look, alert = false, className, children }: NoticeProps) {
  return (
    <div
      role={alert ? "alert" : undefined}
      className={classes("rounded-md border px-3 py-2 [overflow-wrap:anywhere]", looks[look], className)}
    >
      {children}
    </div>
  );
}

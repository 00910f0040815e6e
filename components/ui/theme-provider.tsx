"use client";

import { ThemeProvider as NextThemes } from "next-themes";
import type { ReactNode } from "react";

/** Sets `data-theme` before the first paint; the nonce lets its one inline script pass the content security policy. */
export function ThemeProvider({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <NextThemes attribute="data-theme" defaultTheme="system" storageKey="deskboard:theme" {...(nonce && { nonce })}>
      {children}
    </NextThemes>
  );
}

"use client";

import { Button } from "#components/ui/button.tsx";

/** What shows when the page itself broke. What was typed is kept as a draft by the browser. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-start justify-center gap-4 p-4">
      <h1 className="text-lg font-semibold">This page broke</h1>
      <p className="text-muted">
        The desks and the record are not touched by it. What you had typed is kept in this browser.
        {error.digest !== undefined && ` For the server's log: ${error.digest}.`}
      </p>
      <Button onClick={reset}>Show it again</Button>
    </main>
  );
}

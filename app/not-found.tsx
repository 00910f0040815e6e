import Link from "next/link";

export default function NotFoundPage() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col items-start justify-center gap-4 p-4">
      <h1 className="text-lg font-semibold">There is no such page</h1>
      <p className="text-muted">What the desks do, and what waits for you, is on the first page.</p>
      <Link href="/" className="rounded-md border border-line-strong bg-raised px-3 py-1.5 font-medium">
        To the first page
      </Link>
    </main>
  );
}

import { RequestFailed } from "#components/data/request-failed.ts";
import { InertValue } from "./inert-value.tsx";
import { Notice } from "./ui/notice.tsx";

const unreachableHint = "What you typed is kept. It may have arrived all the same; sending it again does no harm.";

/** What the server said was wrong: the field, the limit and what was given. */
export function FailureNote({ error }: { error: Error | null }) {
  if (!error) return null;
  if (!(error instanceof RequestFailed)) {
    return (
      <Notice look="failed" alert>
        This page made a mistake.
      </Notice>
    );
  }
  const { field, limit, given } = error.details;
  return (
    <Notice look="failed" alert>
      <InertValue text={error.message} />
      {error.code === "unreachable" && <p className="text-muted">{unreachableHint}</p>}
      {(field ?? limit ?? given) !== undefined && (
        <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 font-mono text-xs text-muted">
          <Detail name="field" value={field} />
          <Detail name="limit" value={limit} />
          <Detail name="given" value={given} />
        </dl>
      )}
    </Notice>
  );
}

function Detail({ name, value }: { name: string; value: string | undefined }) {
  if (value === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <InertValue text={value} />
      </dd>
    </>
  );
}

import type { RequestView } from "#lib/protocol/views.ts";
import { InertValue } from "#components/inert-value.tsx";
import { dayAndTime } from "#components/times.ts";
import { Notice } from "#components/ui/notice.tsx";

/** Says that the same call was decided within the last day. */
export function DecidedBefore({ request }: { request: RequestView }) {
  const before = request.decidedBefore;
  if (!before) return null;
  return (
    <Notice look="waits">
      The same call was decided before:{" "}
      <InertValue text={`${before.label}, ${before.state}, by ${before.by}, ${dayAndTime(before.at)}`} />
    </Notice>
  );
}

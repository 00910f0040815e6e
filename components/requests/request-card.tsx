"use client";

import { useRequest } from "#components/data/waiting.ts";
import { Button } from "#components/ui/button.tsx";
import { HoldCard } from "./hold-card.tsx";
import { QuestionCard } from "./question-card.tsx";
import type { ShownCard } from "./steady-order.ts";
import { UncertainCard } from "./uncertain-card.tsx";

const cards = { permission: HoldCard, question: QuestionCard, uncertain: UncertainCard };

interface RequestCardProps {
  card: ShownCard;
  /** Whether the ticket follows the market. */
  followed: boolean;
  onPutAway: (id: string) => void;
}

/** One request, by its kind. Only what waits, by the newest that is known, has live buttons. */
export function RequestCard({ card, followed, onPutAway }: RequestCardProps) {
  const request = useRequest(card, followed);
  const Card = cards[request.kind];
  const live = card.waits && request.state === "pending";
  return (
    <div className="flex flex-col gap-1">
      <Card request={request} live={live} />
      {!card.waits && (
        <Button look="quiet" className="self-end" onClick={() => onPutAway(request.id)}>
          Put {request.label} away
        </Button>
      )}
    </div>
  );
}

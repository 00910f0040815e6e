import { type FocusEvent, useState } from "react";
import type { RequestView } from "#lib/protocol/views.ts";
import { type ShownCard, steadyOrder } from "./steady-order.ts";

const none: readonly ShownCard[] = [];

/** The cards to show for a snapshot of what waits, in an order that stands still while somebody is at them. */
export function useShownCards(waiting: readonly RequestView[] | undefined) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const busy = pointed || focused;
  const [state, setState] = useState({ cards: none, waiting, busy });
  let { cards } = state;
  if (waiting && (waiting !== state.waiting || busy !== state.busy || cards === none)) {
    cards = steadyOrder(cards, waiting, busy);
    setState({ cards, waiting, busy });
  }
  return {
    cards,
    putAway: (id: string) =>
      setState((before) => ({ ...before, cards: before.cards.filter((card) => card.request.id !== id) })),
    /** For the element around the cards. */
    watch: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
  };
}

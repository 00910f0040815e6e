import { useRef, useState } from "react";

/** A pointer that only passes over a choice on its way to the preview does not change it. */
const hoverMs = 120;

/** Which choice is highlighted: the one that has the focus or was taken last, or where the pointer rests. */
export function useHighlight(first: string | null) {
  const [highlighted, setHighlighted] = useState(first);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    highlighted,
    highlight: setHighlighted,
    hover: (id: string, entered: boolean) => {
      clearTimeout(timer.current);
      if (entered) timer.current = setTimeout(() => setHighlighted(id), hoverMs);
    },
  };
}

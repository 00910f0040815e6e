import { useRef, useState } from "react";

/** A pointer that only passes over a choice on its way to the preview does not change it. */
const hoverMs = 120;

/** Which choice is highlighted: the one that has the focus or was taken last, or where the pointer rests. */
export function useHighlight(first: string | null) {
  const [highlighted, setHighlighted] = useState(first);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    highlighted,
    // What is looked at on purpose wins over a pointer that came to rest just before.
    highlight: (id: string) => {
      clearTimeout(timer.current);
      setHighlighted(id);
    },
    hover: (id: string, entered: boolean) => {
      clearTimeout(timer.current);
      if (entered) timer.current = setTimeout(() => setHighlighted(id), hoverMs);
    },
  };
}

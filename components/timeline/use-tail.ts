import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** So near to the end counts as at the end, in pixels. */
const nearPx = 24;

/**
 * Keeps a list that grows at both ends where its reader is: at the end it follows, elsewhere it stands still.
 * @param first the position of the first row
 * @param last the position of the last row
 */
export function useTail(first: number, last: number) {
  const listRef = useRef<HTMLDivElement>(null);
  const before = useRef({ first, height: 0 });
  const [atTail, setAtTail] = useState(true);
  const [seen, setSeen] = useState(last);

  useLayoutEffect(() => {
    const list = listRef.current;
    if (!list) return;
    const grownAbove = before.current.first > first && first > 0 && before.current.first > 0;
    if (atTail && !grownAbove) list.scrollTop = list.scrollHeight;
    else if (grownAbove) list.scrollTop += list.scrollHeight - before.current.height;
    before.current = { first, height: list.scrollHeight };
  });

  // A row that opens, or a window that changes, must not lose the end.
  useEffect(() => {
    const list = listRef.current;
    if (!list || !atTail) return undefined;
    const observer = new ResizeObserver(() => {
      list.scrollTop = list.scrollHeight;
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, [atTail]);

  if (atTail && seen !== last) setSeen(last);
  return {
    listRef,
    atTail,
    unseen: atTail ? 0 : Math.max(0, last - seen),
    onScroll: () => {
      const list = listRef.current;
      if (list) setAtTail(list.scrollHeight - list.scrollTop - list.clientHeight <= nearPx);
    },
    toTail: () => {
      const list = listRef.current;
      if (list) list.scrollTop = list.scrollHeight;
    },
  };
}

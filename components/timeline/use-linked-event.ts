import { useEffect, useRef } from "react";

/** So many pages are read at most to reach the event of a link. */
const mostPages = 20;

/** Goes to the event of the address (`#e123`) once, reading older pages until it is there. */
export function useLinkedEvent(first: number, canReadOlder: boolean, readOlder: () => void): void {
  const pages = useRef(0);
  const done = useRef(false);
  useEffect(() => {
    if (done.current || first === 0) return;
    const wanted = Number(/^#e(\d{1,15})$/.exec(location.hash)?.[1] ?? Number.NaN);
    if (Number.isNaN(wanted) || pages.current >= mostPages) {
      done.current = true;
    } else if (wanted >= first) {
      done.current = true;
      document.getElementById(`e${wanted}`)?.scrollIntoView({ block: "center" });
      // Setting it again lets `:target` find the row that was not there when the page loaded.
      location.replace(`#e${wanted}`);
    } else if (canReadOlder) {
      pages.current += 1;
      readOlder();
    }
  }, [first, canReadOlder, readOlder]);
}

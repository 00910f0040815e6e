import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether this runs in a browser that has taken over the page: what only a browser knows may be shown. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

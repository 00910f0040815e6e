import { useSyncExternalStore } from "react";
import { serverNow } from "./server-clock.ts";

let second: number | null = null;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

const currentSecond = () => Math.floor(serverNow() / 1000);

function watch(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (currentSecond() === second) return;
    second = currentSecond();
    for (const one of listeners) one();
  }, 250);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The server's time in whole seconds since 1970; null before the browser has taken over the page. */
export function useNowSeconds(): number | null {
  return useSyncExternalStore(
    watch,
    () => (second ??= currentSecond()),
    () => null,
  );
}

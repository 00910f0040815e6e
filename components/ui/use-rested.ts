import { useEffect, useState } from "react";

/** A press counts this long after what it is about came, changed or was armed. */
const restMs = 500;

/** Whether half a second has passed since `key` came to be what it is; never for null. */
export function useRested(key: string | null): boolean {
  const [rested, setRested] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(key), restMs);
    return () => clearTimeout(timer);
  }, [key]);
  return key !== null && rested === key;
}

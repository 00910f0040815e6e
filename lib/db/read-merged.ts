/**
 * Reads each value's rows by an index of its own and merges them: a database would sort all that match before it gives
 * the first. Without values, one read of all.
 */
export async function readMerged<Value, Row>(
  values: readonly Value[] | undefined,
  limit: number,
  compare: (one: Row, other: Row) => number,
  read: (value: Value | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  if (values === undefined) return await read(undefined);
  const found: Row[] = [];
  for (const value of new Set(values)) found.push(...(await read(value)));
  return found.toSorted(compare).slice(0, limit);
}

/** Compares by id. Ids are ASCII, so that this is the database's order, too. */
export function byId(order: "oldest" | "newest"): (one: { id: string }, other: { id: string }) => number {
  const sign = order === "oldest" ? 1 : -1;
  return (one, other) => (one.id === other.id ? 0 : one.id < other.id ? -sign : sign);
}

/** Where ids come from. */
export interface Ids {
  /** A new ULID; later ones sort behind earlier ones. */
  next(): string;
  /** The number of the next request's label, from 1; never given twice, and it may skip. */
  nextRequestNumber(): number;
}

/** Something in the record that is not as it was written, or that does not fit the rest. */
export interface Finding {
  /** In words, with the desk, the seq and the position where they are known. */
  message: string;
  deskName?: string;
  seq?: number;
  position?: number;
}

/** Most findings that are kept in words; the rest is counted. */
const mostFindings = 1000;

/** Collects findings in bounded memory. */
export class Findings {
  readonly kept: Finding[] = [];
  count = 0;

  add(message: string, place: Omit<Finding, "message"> = {}): void {
    this.count += 1;
    if (this.kept.length < mostFindings) this.kept.push({ message, ...place });
  }
}

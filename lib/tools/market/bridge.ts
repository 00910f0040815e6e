/** Halvings of a day: 4,096 steps, 21 seconds of market time each. */
const levels = 12;

/**
 * A path that starts and ends at 0 over one day, of the volatility of 1 a day (a Brownian bridge by midpoint
 * displacement). The same for the same seed, on any machine: only additions, multiplications and square roots.
 * @param fraction how much of the day has passed, 0 to 1.
 */
export function bridge(seed: string, fraction: number): number {
  const seedHash = hashText(seed);
  let left = 0;
  let right = 1;
  let atLeft = 0;
  let atRight = 0;
  let node = 1;
  for (let level = 0; level < levels; level += 1) {
    const middle = (left + right) / 2;
    const atMiddle = (atLeft + atRight) / 2 + (Math.sqrt(right - left) / 2) * normal(seedHash, node);
    if (fraction < middle) {
      right = middle;
      atRight = atMiddle;
      node = node * 2;
    } else {
      left = middle;
      atLeft = atMiddle;
      node = node * 2 + 1;
    }
  }
  return atLeft + ((atRight - atLeft) * (fraction - left)) / (right - left);
}

/** Near enough to a standard normal, and never beyond ±3.5: the sum of four uniforms, scaled. */
function normal(seedHash: number, node: number): number {
  let sum = 0;
  for (let part = 0; part < 4; part += 1) sum += mix(seedHash ^ mix(node * 4 + part)) / 2 ** 32;
  return (sum - 2) * Math.sqrt(3);
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** The finalizer of MurmurHash3: every bit of the input changes half of the output. */
function mix(value: number): number {
  let hash = (value + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** An exact fraction: what decimal arithmetic is checked against. */
export class Fraction {
  readonly top: bigint;
  readonly bottom: bigint;

  constructor(top: bigint, bottom = 1n) {
    const sign = bottom < 0n ? -1n : 1n;
    const divisor = greatestCommonDivisor(top < 0n ? -top : top, bottom * sign);
    this.top = (top * sign) / divisor;
    this.bottom = (bottom * sign) / divisor;
  }

  /** Of a plain decimal text. */
  static of(text: string): Fraction {
    const [whole = "0", fraction = ""] = text.split(".");
    return new Fraction(BigInt(`${whole}${fraction}`), 10n ** BigInt(fraction.length));
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.top, other.bottom));
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.top * other.top, this.bottom * other.bottom);
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom, this.bottom * other.top);
  }

  /** Whether the difference is at most 10^-places. */
  isNear(other: Fraction, places: number): boolean {
    const { top, bottom } = this.minus(other);
    return (top < 0n ? -top : top) * 10n ** BigInt(places) <= bottom;
  }
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

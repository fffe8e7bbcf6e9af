// Exact fractions of the second implementation, in lowest terms: slow and plain, and nothing of src/models.

export class Q {
  readonly n: bigint;
  readonly d: bigint;

  constructor(n: bigint, d = 1n) {
    if (d === 0n) throw new Error("division by zero");
    let [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
    while (b !== 0n) [a, b] = [b, a % b];
    const unit = d < 0n ? -a : a;
    this.n = n / unit;
    this.d = d / unit;
  }

  plus(other: Q): Q {
    return new Q(this.n * other.d + other.n * this.d, this.d * other.d);
  }
  minus(other: Q): Q {
    return new Q(this.n * other.d - other.n * this.d, this.d * other.d);
  }
  times(other: Q): Q {
    return new Q(this.n * other.n, this.d * other.d);
  }
  over(other: Q): Q {
    return new Q(this.n * other.d, this.d * other.n);
  }
  above(other: Q): boolean {
    return this.n * other.d > other.n * this.d;
  }
  is(other: Q): boolean {
    return this.n === other.n && this.d === other.d;
  }
  floor(): bigint {
    const quotient = this.n / this.d;
    return quotient * this.d > this.n ? quotient - 1n : quotient;
  }
  ceiling(): bigint {
    return -new Q(-this.n, this.d).floor();
  }
  /** To so many places, half even. */
  round(places: number): Q {
    const unit = 10n ** BigInt(places);
    const scaled = this.times(new Q(unit));
    const below = scaled.floor();
    const rest = scaled.minus(new Q(below));
    const half = new Q(1n, 2n);
    const isUp = rest.above(half) || (rest.is(half) && below % 2n !== 0n);
    return new Q(isUp ? below + 1n : below, unit);
  }
  /** As answers write numbers, to 10 places. */
  text(): string {
    const { n } = this.round(10).times(new Q(10n ** 10n));
    const digits = (n < 0n ? -n : n).toString().padStart(11, "0");
    const fine = digits.slice(-10).replace(/0+$/, "");
    return `${n < 0n ? "-" : ""}${digits.slice(0, -10)}${fine === "" ? "" : `.${fine}`}`;
  }
}

export const ZERO = new Q(0n);
export const ONE = new Q(1n);
export const most = (first: Q, ...others: readonly Q[]): Q => others.reduce((a, b) => (b.above(a) ? b : a), first);
export const least = (first: Q, ...others: readonly Q[]): Q => others.reduce((a, b) => (a.above(b) ? b : a), first);
export const sum = (values: readonly Q[]): Q => values.reduce((a, b) => a.plus(b), ZERO);
/** A decimal of the companies: a count of 10⁻¹⁰. */
export const q = (decimal: bigint): Q => new Q(decimal, 10n ** 10n);

/** A number as a body writes it. */
export function read(text: string): Q {
  const [whole, fine = ""] = text.split(".");
  return new Q(BigInt(`${whole}${fine}`), 10n ** BigInt(fine.length));
}

/** Whole units in the proportion of the weights: cut off, then one by one to the largest remainders, ties to the earlier. */
export function largestRemainders(units: bigint, exact: readonly Q[]): bigint[] {
  const parts = exact.map((each) => each.floor());
  const missing = Number(units - parts.reduce((a, b) => a + b, 0n));
  const order = exact
    .map((each, index) => ({ index, rest: each.minus(new Q(parts[index] ?? 0n)) }))
    .sort((a, b) => (a.rest.is(b.rest) ? a.index - b.index : a.rest.above(b.rest) ? -1 : 1));
  for (const { index } of order.slice(0, Math.max(0, missing))) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

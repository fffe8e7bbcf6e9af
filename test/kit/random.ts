// Everything random in the tests follows from one number, so that a failure can be run again.

/** Numbers from 0 up to 1 that follow from a seed (mulberry32): neighbouring seeds give unrelated ones. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Names numbers below a bound, each time another. */
export type Pick = (below: number) => number;

/** Whole numbers that follow from a seed. */
export function seeded(seed: number): Pick {
  const next = randomFrom(seed);
  return (below) => Math.floor(next() * below);
}

/** A repeatable source of choices. */
export class Random {
  /** A number from 0 up to 1. */
  readonly fraction: () => number;

  constructor(seed: number) {
    this.fraction = randomFrom(Math.imul(seed + 1, 0x9e3779b1));
  }

  /** A whole number from 0 up to `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** A whole number from `first` through `last`. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] as T;
  }

  /** Any of `items`, or undefined for an empty list. */
  maybe<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  /** The name of one of `weights`, the likelier the heavier. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries[0]?.[0] as K;
  }

  /** So many hexadecimal digits. */
  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.below(16).toString(16)).join("");
  }
}

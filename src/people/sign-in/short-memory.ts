// A short-lived store in memory, for some minutes and not across a restart: challenges, states, secrets that await
// confirmation. Bounded: the oldest goes first.

const MOST = 10_000;

interface Kept<V> {
  readonly value: V;
  readonly untilMs: number;
}

/** Remembers values by name for `lastsMs`. */
export class ShortMemory<V> {
  readonly #kept = new Map<string, Kept<V>>();
  readonly #lastsMs: number;

  constructor(lastsMs: number) {
    this.#lastsMs = lastsMs;
  }

  /** Stores a value, in place of an earlier one of the name. */
  put(name: string, value: V, nowMs: number): void {
    this.#kept.delete(name);
    this.#kept.set(name, { value, untilMs: nowMs + this.#lastsMs });
    if (this.#kept.size > MOST) for (const oldest of this.#kept.keys()) return void this.#kept.delete(oldest);
  }

  /** The value, which stays; null if it is missing or too old. */
  find(name: string, nowMs: number): V | null {
    const kept = this.#kept.get(name);
    return kept && kept.untilMs > nowMs ? kept.value : null;
  }

  /** The value, which is removed: it counts once. */
  take(name: string, nowMs: number): V | null {
    const value = this.find(name, nowMs);
    this.#kept.delete(name);
    return value;
  }
}

// Observable value, which components subscribe to.
import { useEffect, useState } from "preact/hooks";

/** Holds a value and notifies its subscribers of each change. */
export class Store<T> {
  #value: T;
  readonly #followers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const tell of [...this.#followers]) tell();
  }

  /** Returns what ends it. */
  follow(tell: () => void): () => void {
    this.#followers.add(tell);
    return () => void this.#followers.delete(tell);
  }
}

/** The value of a store, in a component. */
export function useStore<T>(store: Store<T>): T {
  const [, again] = useState({});
  useEffect(() => {
    const tell = () => again({});
    tell(); // it may have changed between the first picture and now
    return store.follow(tell);
  }, [store]);
  return store.value;
}

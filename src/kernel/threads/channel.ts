// A channel between a producer and a consumer that holds one value at a time, so that nothing piles up.

/** Values in transit. */
export class Channel<T> implements AsyncIterable<T> {
  #waiting: { readonly value: T; readonly taken: () => void }[] = [];
  #arrived = Promise.withResolvers<void>();
  #failure: { readonly error: unknown } | null = null;
  #isOver = false;
  #isLeft = false;

  /** Puts a value in; resolves when the consumer took it or stopped. */
  put(value: T): Promise<void> {
    if (this.#isLeft) return Promise.resolve();
    return new Promise((taken) => {
      this.#waiting.push({ value, taken });
      this.#arrived.resolve();
    });
  }

  /** Ends the channel. */
  end(): void {
    this.#isOver = true;
    this.#arrived.resolve();
  }

  /** Ends the channel with an error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#arrived.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    try {
      for (;;) {
        const next = this.#waiting.shift();
        if (next) {
          // A value counts as taken once the consumer has processed it; the producer then goes on.
          yield next.value;
          next.taken();
        } else if (this.#failure) throw this.#failure.error;
        else if (this.#isOver) return;
        else {
          await this.#arrived.promise;
          this.#arrived = Promise.withResolvers<void>();
          if (this.#isOver || this.#failure) this.#arrived.resolve();
        }
      }
    } finally {
      this.#isLeft = true;
      for (const { taken } of this.#waiting.splice(0)) taken();
    }
  }
}

// What one side puts in and the other takes out, one at a time: nothing piles up between them.

/** Values on their way. */
export class Channel<T> implements AsyncIterable<T> {
  #waiting: { readonly value: T; readonly taken: () => void }[] = [];
  #arrived = Promise.withResolvers<void>();
  #failure: { readonly error: unknown } | null = null;
  #isOver = false;
  #isLeft = false;

  /** Puts a value in; resolves when it was taken, or when no one takes any more. */
  put(value: T): Promise<void> {
    if (this.#isLeft) return Promise.resolve();
    return new Promise((taken) => {
      this.#waiting.push({ value, taken });
      this.#arrived.resolve();
    });
  }

  /** Nothing more comes. */
  end(): void {
    this.#isOver = true;
    this.#arrived.resolve();
  }

  /** Nothing more comes, because of this. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#arrived.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    try {
      for (;;) {
        const next = this.#waiting.shift();
        if (next) {
          // Taken is what has been worked with: the one who put it in goes on then.
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

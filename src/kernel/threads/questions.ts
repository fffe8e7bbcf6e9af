// Pending questions from one thread to another.

/** Pending questions, each known by its number. Once the other side has failed, every question fails. */
export class Questions<A> {
  readonly #waiting = new Map<number, PromiseWithResolvers<A>>();
  #asked = 0;
  #failure: Error | null = null;

  /** Calls `send` with a new number; settles as {@link answer}, {@link refuse} or {@link fail} says. */
  ask(send: (id: number) => void): Promise<A> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#asked;
    const question = Promise.withResolvers<A>();
    this.#waiting.set(id, question);
    send(id);
    return question.promise;
  }

  answer(id: number, answer: A): void {
    this.#take(id)?.resolve(answer);
  }

  refuse(id: number, error: Error): void {
    this.#take(id)?.reject(error);
  }

  /** The other side has failed for good: the first reason stands. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }

  #take(id: number): PromiseWithResolvers<A> | undefined {
    const question = this.#waiting.get(id);
    this.#waiting.delete(id);
    return question;
  }
}

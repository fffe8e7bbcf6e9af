// Questions and answers between two threads: either end asks by name, and answers what the other asks. What an end can be
// asked is an interface, `P`: a method for each question, from the question to its answer. Both are plain data.
import { type ToldError, tellError, toldError } from "./serialized-error.ts";

type Question<P, K extends keyof P> = P[K] extends (question: infer Q) => unknown ? Q : never;
type Answer<P, K extends keyof P> = P[K] extends (question: never) => infer A ? A : never;

/** What answers the questions of `P`, at once or later; what it throws or rejects with is thrown where it was asked. */
export type Answering<P> = {
  readonly [K in keyof P]: (question: Question<P, K>) => Answer<P, K> | Promise<Answer<P, K>>;
};

/** The protocol of an end that is asked nothing. */
export type NoQuestions = Readonly<Record<never, never>>;

/** A message. The number of a question that wants no answer is 0. */
export type Message =
  | { readonly id: number; readonly ask: string; readonly question: unknown }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: ToldError };

/** What crosses threads: a message, or the JSON text of several. */
export type Sent = Message | string;

/** Sends; `moved` are buffers that the message gives away, instead of copies of them. */
export type Send = (sent: Sent, moved: ArrayBuffer[]) => void;

/** Sends messages together as JSON text: copying a text takes a third of the time that copying objects takes. */
export interface Gathering {
  /** Whether a message is plain JSON, and may be sent with others. */
  isGathered(message: Message): boolean;
  /** When those that came meanwhile are sent. */
  later(send: () => void): void;
  /** A question without answer that goes with each sending. */
  last?(): { readonly ask: string; readonly question: unknown };
}

/** How an end sends. */
export interface Sending {
  readonly gathering?: Gathering;
  /** The buffers that an answer gives away. */
  moved?(answer: unknown): ArrayBuffer[];
}

/** One end, which asks `Theirs` and answers `Own`. */
export class Peer<Theirs, Own = NoQuestions> {
  readonly #send: Send;
  readonly #own: Answering<Own>;
  readonly #sending: Sending;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #number = 0;
  #gathered: Message[] = [];
  #failure: Error | null = null;

  constructor(send: Send, own: Answering<Own>, sending: Sending = {}) {
    [this.#send, this.#own, this.#sending] = [send, own, sending];
  }

  /** An end whose answers ask, too. */
  static answering<Theirs, Own>(
    send: Send,
    work: (asker: Pick<Peer<Theirs, Own>, "ask" | "tell">) => Answering<Own>,
    sending: Sending = {},
  ): Peer<Theirs, Own> {
    const asker: Pick<Peer<Theirs, Own>, "ask" | "tell"> = {
      ask: (name, question, moved) => peer.ask(name, question, moved),
      tell: (name, question) => peer.tell(name, question),
    };
    const peer: Peer<Theirs, Own> = new Peer<Theirs, Own>(send, work(asker), sending);
    return peer;
  }

  /** Asks. Rejects as the other end throws, and once it has failed for good with the first reason. */
  ask<K extends keyof Theirs & string>(
    name: K,
    question: Question<Theirs, K>,
    moved: ArrayBuffer[] = [],
  ): Promise<Answer<Theirs, K>> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#number;
    const asked = Promise.withResolvers<unknown>();
    this.#asked.set(id, asked);
    this.#put({ id, ask: name, question }, moved);
    return asked.promise as Promise<Answer<Theirs, K>>;
  }

  /** Says something that wants no answer. */
  tell<K extends keyof Theirs & string>(name: K, question: Question<Theirs, K>): void {
    if (!this.#failure) this.#put({ id: 0, ask: name, question });
  }

  /** Takes what the other end sent. */
  take(sent: Sent): void {
    if (typeof sent === "string") for (const message of JSON.parse(sent) as readonly Message[]) this.#take(message);
    else this.#take(sent);
  }

  /** The other end has failed for good: every question fails, and the first reason stands. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#asked.values()) reject(this.#failure);
    this.#asked.clear();
  }

  /** Sends what was gathered. */
  flush(): void {
    if (this.#gathered.length === 0) return;
    const last = this.#sending.gathering?.last?.();
    const messages = last ? [...this.#gathered, { id: 0, ...last }] : this.#gathered;
    this.#gathered = [];
    this.#send(JSON.stringify(messages), []);
  }

  #put(message: Message, moved: ArrayBuffer[] = []): void {
    const { gathering } = this.#sending;
    if (!gathering?.isGathered(message)) this.#send(message, moved);
    else if (this.#gathered.push(message) === 1) gathering.later(() => this.flush());
  }

  #take(message: Message): void {
    if ("ask" in message) {
      void this.#answer(message);
      return;
    }
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if ("error" in message) asked?.reject(toldError(message.error));
    else asked?.resolve(message.answer);
  }

  async #answer({ id, ask, question }: Extract<Message, { ask: string }>): Promise<void> {
    try {
      const answering = this.#own[ask as keyof Own] as (question: unknown) => unknown;
      const answer = (await answering(question)) ?? null;
      if (id !== 0) this.#put({ id, answer }, this.#sending.moved?.(answer));
    } catch (thrown) {
      if (id === 0) throw thrown;
      this.#put({ id, error: tellError(thrown) });
    }
  }
}

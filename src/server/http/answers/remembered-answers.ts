// Answer cache: keeps list answers, which the database wrote as text, until the next commit, so that a program that
// polls a list is answered without a new query. An answer that depends on the time must not come in here.
import type { WireAnswer } from "../../changes/answer.ts";

const CHARACTERS_MAX = 4 * 1024 * 1024;

/** Answers by organization and address. Cleared when a snapshot begins in which anything may have changed. */
export class RememberedAnswers {
  readonly #answers = new Map<string, WireAnswer>();
  #characters = 0;

  /** The answer that the organization got from this address, or null. */
  find(orgId: string, url: string): WireAnswer | null {
    return this.#answers.get(`${orgId} ${url}`) ?? null;
  }

  /** Keeps an answer as long as nothing changes and there is room. */
  keep(orgId: string, url: string, answer: WireAnswer): void {
    const size = url.length + answer.body.length;
    if (this.#characters + size > CHARACTERS_MAX) this.forget();
    this.#characters += size;
    this.#answers.set(`${orgId} ${url}`, answer);
  }

  /** Forgets them all. */
  forget(): void {
    this.#answers.clear();
    this.#characters = 0;
  }
}

// Slots: how many requests to endpoints are under way at once, in all and of one organization, and whose turn is next. An
// organization whose receivers take their time keeps no other waiting.
import type { Asker } from "../../kernel/fair-queue.ts";
import { WaitingLine } from "../../kernel/threads/waiting-line.ts";

const AT_ONCE = 16;
const OF_ORGANIZATION = 4;

/** Gives slots. */
export class Slots {
  readonly #running: Asker[] = [];
  readonly #waiting = new WaitingLine<Asker>();

  /** Waits for a slot; resolves with the function that gives it back. */
  take(asker: Asker): Promise<() => void> {
    const never = () => new Error("the slot did not come");
    const taken = this.#waiting.wait(asker, () => this.#begin(asker), { late: never, gone: never });
    this.#admit();
    return taken;
  }

  #begin(asker: Asker): () => void {
    this.#running.push(asker);
    return () => {
      const at = this.#running.indexOf(asker);
      if (at >= 0) this.#running.splice(at, 1);
      this.#admit();
    };
  }

  #admit(): void {
    this.#waiting.admit(({ orgId }) => {
      const there = this.#running.filter((other) => other.orgId === orgId).length;
      return this.#running.length < AT_ONCE && there < OF_ORGANIZATION;
    });
  }
}

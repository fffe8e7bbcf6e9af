// Turns as they were: one line for all, in the order in which requests came, and one report at a time. The control of the
// tests that one caller never takes all turns.
import type { TurnAsker } from "../../../src/kernel/threads/turns.ts";

/** What a line of that kind refused: more than eight reports waiting, of whichever caller. */
export class FormerlyBusy extends Error {}

const AT_ONCE = 2;
const REPORTS_WAITING_MAX = 8;

export class FormerTurns {
  readonly #running = new Set<TurnAsker>();
  #waiting: { readonly asker: TurnAsker; readonly begin: () => void }[] = [];

  take(asker: TurnAsker): Promise<() => void> {
    if (this.#mayRun(asker)) return Promise.resolve(this.#begin(asker));
    const reports = this.#waiting.filter((each) => each.asker.isReport).length;
    if (asker.isReport && reports >= REPORTS_WAITING_MAX) return Promise.reject(new FormerlyBusy());
    return new Promise((resolve) => {
      this.#waiting.push({ asker, begin: () => resolve(this.#begin(asker)) });
    });
  }

  #begin(asker: TurnAsker): () => void {
    this.#running.add(asker);
    return () => {
      this.#running.delete(asker);
      const next = this.#waiting.find((each) => this.#mayRun(each.asker));
      this.#waiting = this.#waiting.filter((each) => each !== next);
      next?.begin();
    };
  }

  #mayRun({ orgId, callerId, isReport }: TurnAsker): boolean {
    const running = [...this.#running];
    return (
      running.length < AT_ONCE &&
      !running.some((other) => other.callerId === callerId) &&
      running.filter((other) => other.orgId === orgId).length < 2 &&
      (!isReport || !running.some((other) => other.isReport))
    );
  }
}

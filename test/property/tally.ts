// How often each kind of step was done, and how often it was refused: a history that never comes to something proves
// nothing about it.

export class Tally {
  readonly #counts = new Map<string, { done: number; refused: number }>();

  /** Counts a step. */
  count(op: string, isDone: boolean): void {
    const counts = this.#counts.get(op) ?? { done: 0, refused: 0 };
    if (isDone) counts.done++;
    else counts.refused++;
    this.#counts.set(op, counts);
  }

  /** The kinds that never happened, of those that should. */
  missing(done: readonly string[], refused: readonly string[]): string[] {
    const of = (op: string) => this.#counts.get(op) ?? { done: 0, refused: 0 };
    return [
      ...done.filter((op) => of(op).done === 0).map((op) => `${op} done`),
      ...refused.filter((op) => of(op).refused === 0).map((op) => `${op} refused`),
    ];
  }

  /** All counts in a line: `cancel 120/35` for 120 done and 35 refused. */
  toString(): string {
    const entries = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([op, { done, refused }]) => `${op} ${done}/${refused}`).join(", ");
  }
}

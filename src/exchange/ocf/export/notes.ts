// Counts what an export had to leave out or make up, for the manifest's comments. Pure.
import type { Note } from "../codec/values-to-ocf.ts";

/** What there is to say about an export. */
export class Notes {
  readonly #counts = new Map<string, number>();

  /** Counts one more case of `what`. */
  readonly add: Note = (what) => void this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);

  /** The sentences, each with its count where it is more than one. */
  comments(): string[] {
    return [...this.#counts].map(([what, count]) => {
      const sentence = what.charAt(0).toUpperCase() + what.slice(1);
      return count === 1 ? `${sentence}.` : `${sentence} (${count} times).`;
    });
  }
}

/** For mappings whose defaults were noted elsewhere already. */
export const silent: Note = () => undefined;

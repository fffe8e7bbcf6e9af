// Remarks of an export, for the manifest's comments: counts of what it left out or made up. Pure.
import type { Note } from "../codec/values-to-ocf.ts";

/** The remarks of an export. */
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

/** For mappings whose defaults were counted elsewhere already. */
export const silent: Note = () => undefined;

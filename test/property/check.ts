// Runs random histories one seed after the other, so that a failure names the one seed that shows it again, and shrinks
// that to a short history.
import fc from "fast-check";
import { type Sizes, seedsUntil } from "../kit/proof.ts";
import type { Choice } from "./choosing.ts";

/** What is to be run, and how often. */
export interface Checking<C> extends Omit<Sizes, "most"> {
  /** The test file, for the line that says how to see a failure again. */
  readonly file: string;
  /** A quick run goes on up to so many, until `isMet`. */
  readonly most?: number;
  /** Whether each kind that must be met was. */
  readonly isMet?: () => boolean;
  readonly choices: fc.Arbitrary<readonly C[]>;
  readonly run: (choices: readonly C[], seed: number) => Promise<void>;
}

/** Runs histories; returns how many. Throws the shortest that fails. */
export async function checkHistories<C = Choice>(checking: Checking<C>): Promise<number> {
  const { file, quick, most = quick, release, from = 1, isMet = () => true, choices, run } = checking;
  let count = 0;
  for (const seed of seedsUntil(isMet, { quick, most, release, from })) {
    count++;
    const property = fc.asyncProperty(choices, (chosen) => run(chosen, seed));
    const { failed, errorInstance } = await fc.check(property, { numRuns: 1, seed, unbiased: true });
    if (!failed) continue;
    const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    throw new Error(`CAPTABLE_SEED=${seed} bun test ${file}\n${why}`, { cause: errorInstance });
  }
  return count;
}

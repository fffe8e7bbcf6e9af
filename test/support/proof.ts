// What a large run proved, as a row of the README's table. Only a run with release counts prints rows.
import { RELEASE } from "./release.ts";

/** A guarantee that held. */
export interface Proof {
  /** Its number in the plan, for instance `F3`. */
  readonly fault: string;
  readonly what: string;
  readonly count: number;
  /** The seeds that the run can be repeated with; a dash where nothing is random. */
  readonly seed: string;
  readonly result: string;
}

/** Prints a row of the README's table in a release run. */
export function proved({ fault, what, count, seed, result }: Proof): void {
  if (!RELEASE) return;
  process.stdout.write(`| ${fault} | ${what} | ${count.toLocaleString("en")} | ${seed} | ${result} |\n`);
}

/** The first seed of a run: 1, or the one that `CAPTABLE_SEED` names, to replay it. */
export function firstSeed(): number {
  return Number(process.env.CAPTABLE_SEED ?? 1);
}

/** How many seeds a run takes: `quick` or `release`, or the one alone that `CAPTABLE_SEED` names. */
export function seedCount(quick: number, release: number): number {
  if (process.env.CAPTABLE_SEED !== undefined) return 1;
  return RELEASE ? release : quick;
}

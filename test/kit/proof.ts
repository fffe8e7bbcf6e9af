// What a run proved: with release counts as a row of the README's table, else as a line that `bun run test` ends with.
import { appendFileSync } from "node:fs";
import { QUICK, RELEASE } from "./release.ts";

/** A guarantee that held. */
export interface Proof {
  /** Its number among the guarantees, for instance `F3`. */
  readonly fault: string;
  readonly what: string;
  readonly count: number;
  /** The seeds that the run can be repeated with; a dash where nothing is random. */
  readonly seed: string;
  readonly result: string;
}

/** Where `bun run test` collects the lines of all files. */
const MANAGED = process.env.TEST_MANAGED;

/** Prints a row of the README's table in a release run; else notes a line for the end of `bun run test`. */
export function proved({ fault, what, count, seed, result }: Proof): void {
  if (!RELEASE) {
    const seeds = seed === "-" ? "" : `, seeds ${seed}`;
    if (MANAGED) appendFileSync(MANAGED, `${fault}: ${count.toLocaleString("en")} ${what}${seeds}: ${result}\n`);
    return;
  }
  process.stdout.write(`| ${fault} | ${what} | ${count.toLocaleString("en")} | ${seed} | ${result} |\n`);
}

/** The first seed of a run: that of a quick one, 1 of a release run, or the one that `CAPTABLE_SEED` names, to replay it. */
export function firstSeed(quick = 1): number {
  return Number(process.env.CAPTABLE_SEED ?? (RELEASE ? 1 : quick));
}

/**
 * How many seeds a run takes: `release` in `test:release`, else `usual`; or the one alone that `CAPTABLE_SEED` names. A
 * suite that has to meet every kind takes {@link seedsUntil}.
 */
export function seedCount(usual: number, release: number): number {
  if (process.env.CAPTABLE_SEED !== undefined) return 1;
  return RELEASE ? release : usual;
}

/** How many seeds a run takes whose kinds must all be met. */
export interface Sizes {
  /** `test:system` takes these, and more, up to `most`, until each kind was met; `test` takes a part, and asks for no kind. */
  readonly quick: number;
  readonly most: number;
  readonly release: number;
  /** Where a run but that of a release begins, so that it soon meets what is rarest; by default at 1. */
  readonly from?: number;
}

/** The seeds of a run, one after the other; that of `test:system` ends when `isMet` says that every kind was. */
export function* seedsUntil(isMet: () => boolean, { quick, most, release, from }: Sizes): Generator<number> {
  const end = seedCount(QUICK ? quick : most, release);
  for (let index = 0; index < end; index++) {
    if (!RELEASE && !QUICK && index >= quick && isMet()) return;
    yield firstSeed(from) + index;
  }
}

/** Whether a run of so many seeds has to have met every kind of what they can meet. */
export function mustMeetAll(count: number): boolean {
  return count > 1 && !QUICK;
}

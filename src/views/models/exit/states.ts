// States of conversion decisions by exit value, in closed form: which holds at which value. Pure.
//
// With a set given, the first z sharers convert where V > P(κ_z ÷ L) in the state with those z, and the answer is the
// greatest such z: spans of V, each with its z. A decider joins where, with it in the set, V > P(θ) in the state of the
// span that V is in. Deciders join one after the other, by θ; so V is cut into intervals with one set each, beginning
// with one interval and no decider, and each decider cuts those that it joins in a part of. Without sharers a decider
// joins from one value on, which rises with θ: then only the topmost interval is ever cut.
import { type Fraction, isPositive, NOTHING } from "../fraction.ts";
import { Glances } from "./bounded-payouts.ts";
import { compareValues, Value } from "./bounds.ts";
import type { Game, Joined } from "./game.ts";

/** A state, for values above `from` and up to `to`; null: without an end. */
export interface StateSpan {
  readonly from: Fraction;
  readonly to: Fraction | null;
  readonly set: Joined;
  readonly z: number;
}

/** Values above one and up to another; null: without an end. */
interface Range {
  readonly from: Value;
  readonly to: Value | null;
}

interface Interval extends Range {
  readonly set: Joined;
}

interface Answer extends Range {
  readonly z: number;
}

interface Span extends Interval {
  readonly z: number;
}

const BOTTOM = Value.of(NOTHING);

/** The states of an exit above the value that covers all claims, lowest first. */
export function statesOf(game: Game): readonly StateSpan[] {
  const glances = new Glances(game);
  const answers = new Answers(game, glances);
  let intervals: readonly Interval[] = [{ from: BOTTOM, to: null, set: game.empty }];
  for (const index of game.deciders.keys()) intervals = joining({ game, glances, answers }, intervals, index);
  const covered = Value.of(game.claims(game.empty, 0));
  const spans = intervals.flatMap((interval) =>
    answers
      .of(interval.set)
      .flatMap((answer): Span[] => cut(interval, answer).map((part) => ({ ...part, set: interval.set, z: answer.z }))),
  );
  const above = spans.flatMap((span) => cut(span, { from: covered, to: null }).map((part) => ({ ...span, ...part })));
  return merged(above).map(({ from, to, set, z }) => ({ from: from.exact, to: to === null ? null : to.exact, set, z }));
}

/** What deciders join by. */
interface Joining {
  readonly game: Game;
  readonly glances: Glances;
  readonly answers: Answers;
}

/** Lets one more decider join wherever that pays. */
function joining(
  { game, glances, answers }: Joining,
  intervals: readonly Interval[],
  index: number,
): readonly Interval[] {
  const threshold = game.deciders[index]?.threshold ?? NOTHING;
  const next: Interval[] = [];
  for (const [place, interval] of [...intervals.entries()].reverse()) {
    const set = game.with(interval.set, index);
    // Who converts gets more than the claim, sharers too: below what the claims of all sharers come to it never pays.
    const least = glances.pays(set, 0, threshold);
    if (interval.to !== null && compareValues(interval.to, least) <= 0) {
      next.unshift(...intervals.slice(game.sharers.length === 0 ? 0 : place, place + 1));
      if (game.sharers.length === 0) break;
      continue;
    }
    const parts: Interval[] = [];
    let last = interval.from;
    for (const answer of answers.of(set)) {
      if (answer.to !== null && compareValues(answer.to, least) <= 0) continue;
      const from = greater(answer.from, glances.pays(set, answer.z, threshold));
      for (const joined of cut(interval, { from, to: answer.to })) {
        if (compareValues(last, joined.from) < 0) parts.push({ from: last, to: joined.from, set: interval.set });
        parts.push({ ...joined, set });
        last = joined.to ?? last;
      }
    }
    const isDone = parts.at(-1)?.to === null;
    if (!isDone && (interval.to === null || compareValues(last, interval.to) < 0)) {
      parts.push({ from: last, to: interval.to, set: interval.set });
    }
    next.unshift(...parts);
    // Without sharers a decider that does not join here joins nowhere below.
    if (
      game.sharers.length === 0 &&
      compareValues(parts[0]?.from ?? BOTTOM, interval.from) === 0 &&
      parts[0]?.set === interval.set
    ) {
      next.unshift(...intervals.slice(0, place));
      break;
    }
  }
  return unite(next);
}

const greater = (a: Value, b: Value) => (compareValues(a, b) < 0 ? b : a);

/** What two spans have in common; nothing where that is empty. */
function cut(a: Range, b: Range): readonly Range[] {
  const from = greater(a.from, b.from);
  const to = a.to === null ? b.to : b.to === null || compareValues(a.to, b.to) < 0 ? a.to : b.to;
  return to !== null && compareValues(from, to) >= 0 ? [] : [{ from, to }];
}

function unite(intervals: readonly Interval[]): readonly Interval[] {
  const united: Interval[] = [];
  for (const interval of intervals) {
    const last = united.at(-1);
    if (last && last.set.key === interval.set.key) united[united.length - 1] = { ...last, to: interval.to };
    else united.push(interval);
  }
  return united;
}

function merged(spans: readonly Span[]): readonly Span[] {
  const list: Span[] = [];
  for (const span of spans) {
    const last = list.at(-1);
    if (last && last.set.key === span.set.key && last.z === span.z) list[list.length - 1] = { ...last, to: span.to };
    else list.push(span);
  }
  return list;
}

/** How many sharers convert at which value, by set; each set is worked out once. */
class Answers {
  readonly #game: Game;
  readonly #glances: Glances;
  readonly #known = new Map<bigint, readonly Answer[]>();

  constructor(game: Game, glances: Glances) {
    this.#game = game;
    this.#glances = glances;
  }

  of(set: Joined): readonly Answer[] {
    const known = this.#known.get(set.key);
    if (known) return known;
    const answers = this.#worked(set);
    this.#known.set(set.key, answers);
    return answers;
  }

  #worked(set: Joined): readonly Answer[] {
    const game = this.#game;
    const answers: Answer[] = [];
    let to: Value | null = null;
    for (let z = isPositive(set.base) ? game.most : 0; z > 0; z -= 1) {
      const from: Value = this.#glances.paysAtThreshold(set, z);
      if (to !== null && compareValues(from, to) >= 0) continue;
      answers.unshift({ from, to, z });
      to = from;
    }
    answers.unshift({ from: BOTTOM, to, z: 0 });
    return answers;
  }
}

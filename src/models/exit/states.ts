// Which state holds at which value (MODELLING section 7.2), in closed form. Pure.
//
// With a set given, the first z sharers convert where V > P(κ_z ÷ L) in the state with those z, and the answer is the
// greatest such z: spans of V, each with its z. A decider joins where, with it in the set, V > P(θ) in the state of the
// span that V is in. Deciders join one after the other, by θ; so V is cut into intervals with one set each, beginning
// with one interval and nobody, and each decider cuts those that it joins in a part of. Without sharers a decider joins
// from one value on, which rises with θ: then only the topmost interval is ever cut.
import { compare, type Fraction, NOTHING } from "../fraction.ts";
import type { Game, Joined } from "./game.ts";

/** A state, for values above `from` and up to `to`; null: without an end. */
export interface StateSpan {
  readonly from: Fraction;
  readonly to: Fraction | null;
  readonly set: Joined;
  readonly z: number;
}

interface Interval {
  readonly from: Fraction;
  readonly to: Fraction | null;
  readonly set: Joined;
}

interface Answer {
  readonly from: Fraction;
  readonly to: Fraction | null;
  readonly z: number;
}

/** The states of an exit above the value that covers all claims, lowest first. */
export function statesOf(game: Game): readonly StateSpan[] {
  const answers = new Answers(game);
  let intervals: readonly Interval[] = [{ from: NOTHING, to: null, set: game.nobody }];
  for (const index of game.deciders.keys()) intervals = joining(game, answers, intervals, index);
  const covered = game.claims(game.nobody, 0);
  const spans = intervals.flatMap((interval) =>
    answers
      .of(interval.set)
      .flatMap((answer): StateSpan[] =>
        cut(interval, answer).map((part) => ({ ...part, set: interval.set, z: answer.z })),
      ),
  );
  return merged(spans.flatMap((span) => cut(span, { from: covered, to: null }).map((part) => ({ ...span, ...part }))));
}

/** Lets one more decider join wherever that pays. */
function joining(game: Game, answers: Answers, intervals: readonly Interval[], index: number): readonly Interval[] {
  const threshold = game.deciders[index]?.threshold ?? NOTHING;
  const next: Interval[] = [];
  for (const [place, interval] of [...intervals.entries()].reverse()) {
    const set = game.with(interval.set, index);
    // Who converts gets more than the claim, sharers too: below what the claims of all sharers come to it never pays.
    const least = game.pays(set, 0, threshold);
    if (interval.to !== null && compare(interval.to, least) <= 0) {
      next.unshift(...intervals.slice(game.sharers.length === 0 ? 0 : place, place + 1));
      if (game.sharers.length === 0) break;
      continue;
    }
    const parts: Interval[] = [];
    let last = interval.from;
    for (const answer of answers.of(set)) {
      if (answer.to !== null && compare(answer.to, least) <= 0) continue;
      const from = greater(answer.from, game.pays(set, answer.z, threshold));
      for (const joined of cut(interval, { from, to: answer.to })) {
        if (compare(last, joined.from) < 0) parts.push({ from: last, to: joined.from, set: interval.set });
        parts.push({ ...joined, set });
        last = joined.to ?? last;
      }
    }
    const isDone = parts.at(-1)?.to === null;
    if (!isDone && (interval.to === null || compare(last, interval.to) < 0)) {
      parts.push({ from: last, to: interval.to, set: interval.set });
    }
    next.unshift(...parts);
    // Without sharers whoever does not join here joins nowhere below.
    if (
      game.sharers.length === 0 &&
      compare(parts[0]?.from ?? NOTHING, interval.from) === 0 &&
      parts[0]?.set === interval.set
    ) {
      next.unshift(...intervals.slice(0, place));
      break;
    }
  }
  return unite(next);
}

const greater = (a: Fraction, b: Fraction) => (compare(a, b) < 0 ? b : a);

/** What two spans have in common; nothing where that is empty. */
function cut(
  a: { readonly from: Fraction; readonly to: Fraction | null },
  b: { readonly from: Fraction; readonly to: Fraction | null },
): readonly { readonly from: Fraction; readonly to: Fraction | null }[] {
  const from = greater(a.from, b.from);
  const to = a.to === null ? b.to : b.to === null || compare(a.to, b.to) < 0 ? a.to : b.to;
  return to !== null && compare(from, to) >= 0 ? [] : [{ from, to }];
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

function merged(spans: readonly StateSpan[]): readonly StateSpan[] {
  const list: StateSpan[] = [];
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
  readonly #known = new Map<bigint, readonly Answer[]>();

  constructor(game: Game) {
    this.#game = game;
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
    let to: Fraction | null = null;
    for (let z = game.most; z > 0; z -= 1) {
      const whole = game.capitalization(set, z);
      const threshold = game.sharers[z - 1]?.threshold;
      if (!threshold || whole.n <= 0n) continue;
      const from: Fraction = game.paysAtWorth(set, z, threshold);
      if (to !== null && compare(from, to) >= 0) continue;
      answers.unshift({ from, to, z });
      to = from;
    }
    answers.unshift({ from: NOTHING, to, z: 0 });
    return answers;
  }
}

// What a model begins with: securities that are not there, and rounds that come before it. Pure.
import { type Added, addOf, keyedAddOf } from "./add-body.ts";
import type { ModelValues } from "./values.ts";

/** Stands for rounds that the opened scenario itself begins with. */
export const ITS_OWN = "OWN";

/** The members of a body that say what it begins with. */
export interface Beginning {
  readonly add?: readonly object[] | undefined;
  readonly rounds?: readonly object[] | undefined;
}

/** What comes after a kept round: what it begins with itself, and then the round. */
export function afterRound(input: object): Beginning {
  const {
    asOf: _asOf,
    knownAt: _knownAt,
    add = [],
    rounds = [],
    ...round
  } = input as Beginning & Record<string, unknown>;
  return { add, rounds: [...rounds, round] };
}

/** Securities that the rounds before need; those that a scenario was kept with stand in the rows of the form already. */
export function neededOf(values: ModelValues, { add = [] }: Beginning): readonly object[] {
  const texts = new Set((addOf(values) ?? []).map((each) => JSON.stringify(each)));
  return add.filter((each) => !texts.has(JSON.stringify(each)));
}

/** The keys of securities that the rounds before need: those of the form have others. */
export function neededKeys(values: ModelValues, first: Beginning): readonly string[] {
  return (neededOf(values, first) as readonly Partial<Added>[]).flatMap(({ key }) => key ?? []);
}

/** The members of the body: what the rounds before need, and then the rows of the form. */
export function beginningOf(values: ModelValues, first: Beginning): Beginning {
  const add = [...neededOf(values, first), ...keyedAddOf(values, neededKeys(values, first))];
  return {
    ...(add.length > 0 ? { add } : {}),
    ...(first.rounds?.length ? { rounds: first.rounds } : {}),
  };
}

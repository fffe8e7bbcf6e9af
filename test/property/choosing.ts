// How a choice becomes a step: made before anything is there, resolved against the model once it is.
import fc from "fast-check";
import type { Model, Security } from "./model/state.ts";
import type { Step } from "./model/step.ts";

/** A choice that becomes a step once it is known what there is; null when there is nothing to do it to. */
export type Choice = ((model: Model) => Step | null) & { readonly op: string };

type Suits = (security: Security, model: Model, index: number) => boolean;
export const isStock: Suits = ({ kind: type }) => type === "STOCK";
export const isGrant: Suits = ({ kind: type }) => type === "STOCK_OPTION" || type === "WARRANT";
export const isConvertible: Suits = ({ kind: type }) => type === "STOCK" || type === "CONVERTIBLE";
export const isAny: Suits = () => true;
export const isByTerms: Suits = (_security, model, index) => model.vesting[index]?.own === null;
export const hasTerms: Suits = (_security, model, index) => typeof model.vesting[index]?.terms === "number";

/** A security: mostly an open one that suits, where there is any. */
const target = fc.tuple(fc.nat(10_000), fc.integer({ min: 0, max: 9 }));
/** As often any one, closed or not. */
export const anyTarget = fc.tuple(fc.nat(10_000), fc.integer({ min: 0, max: 1 }));

function find([number, chance]: readonly [number, number], suits: Suits, model: Model) {
  const all = model.securities.flatMap((security, index) => (security ? [{ security, index }] : []));
  const open = all.filter(({ security }) => security.status === "ACTIVE" && !security.isDeleted);
  const suitable = open.filter(({ security, index }) => suits(security, model, index));
  const from = chance > 0 && suitable.length > 0 ? suitable : all;
  return from[number % from.length] ?? null;
}

export function named(op: string, given: object, choose: (model: Model) => Step | null): Choice {
  return Object.assign(choose, { op, [fc.toStringMethod]: () => `${op} ${JSON.stringify(given)}` });
}

/** Makes a choice of a step on a security; `build` gets the chosen values and the security. */
export function onSecurity<T extends object>(
  op: string,
  suits: Suits,
  values: fc.Arbitrary<T>,
  build: (given: T, index: number, security: Security, model: Model) => Step,
  among = target,
): fc.Arbitrary<Choice> {
  return fc.tuple(among, values).map(([where, given]) =>
    named(op, { where, ...given }, (model) => {
      const found = find(where, suits, model);
      return found && build(given, found.index, found.security, model);
    }),
  );
}

/** Makes a choice of a step that needs nothing to be there. */
export function always<T extends object>(op: string, values: fc.Arbitrary<T>, build: (given: T) => Step) {
  return values.map((given) => named(op, given, () => build(given)));
}

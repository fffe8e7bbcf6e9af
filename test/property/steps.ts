// Random histories: raw choices that are resolved against the model as the history goes, so that most steps make sense
// and some do not. Shrinking a raw choice keeps it valid.
import fc from "fast-check";
import {
  type Edit,
  type Kind,
  type Model,
  type ModelSecurity,
  type Rounding,
  type Status,
  type Step,
  show,
} from "./model.ts";

/** How many holders, classes and plans each organization has, and their figures at the start. */
export const START = {
  holders: 3,
  classes: ["400", "250.5"],
  plans: [
    { reserve: "120", classes: [0] },
    { reserve: "80.25", classes: [0, 1] },
    { reserve: "60", classes: [] },
  ],
} as const;

/** The model of an organization in which nothing has happened yet. */
export function emptyModel(units: (text: string) => bigint): Model {
  return {
    securities: [],
    classes: START.classes.map((text) => ({ initial: units(text), authorized: units(text) })),
    plans: START.plans.map(({ reserve, classes }) => {
      const initial = units(reserve);
      return { initial, reserved: initial, available: initial, classes };
    }),
  };
}

/** The days on which things happen, past and to come. */
export const DATES = ["2024-02-29", "2025-01-15", "2025-06-30", "2026-03-01", "2026-12-31", "2031-01-01"] as const;

/** A choice that becomes a step once it is known what there is; null when there is nothing to do it to. */
export type Choice = (model: Model) => Step | null;

const holder = fc.nat(START.holders - 1);
const stockClass = fc.nat(START.classes.length - 1);
const plan = fc.nat(START.plans.length - 1);
const maybeClass = fc.option(stockClass);
const maybePlan = fc.option(plan);
const date = fc.constantFrom(...DATES);
const price = fc.constantFrom("0.25", "1", "2.50", "0.0001", "3.3333333333");
const figure = fc.constantFrom("0", "40", "90.5", "150", "400.00", "900");
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom("0.5", "12.50", "0.0000000001", "33.3333333333", "007", "250") },
);
const certificate = fc.integer({ min: 1, max: 200 }).map((number) => `C-${number}`);
const kind = fc.constantFrom<Kind>("STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE");
const status = fc.constantFrom<Status>("ACTIVE", "CANCELLED", "EXERCISED", "CONVERTED", "REPURCHASED", "TRANSFERRED");
const rounding = fc.constantFrom<Rounding>("DOWN", "UP", "NEAREST", "FRACTIONAL");
const expires = fc.option(fc.constantFrom("2025-06-30", "2040-01-01"), { freq: 3 });

type Suits = (security: ModelSecurity) => boolean;
const isStock: Suits = ({ kind }) => kind === "STOCK";
const isGrant: Suits = ({ kind }) => kind === "STOCK_OPTION" || kind === "WARRANT";
const isConvertible: Suits = ({ kind }) => kind === "STOCK" || kind === "CONVERTIBLE";
const isAny: Suits = () => true;

/** A security: mostly an open one that suits, where there is any. */
function target(suits: Suits) {
  return fc.tuple(fc.nat(10_000), fc.integer({ min: 0, max: 9 })).map(([number, chance]) => (model: Model) => {
    const all = model.securities.map((security, index) => ({ security, index }));
    const open = all.filter(({ security }) => security.status === "ACTIVE" && !security.isDeleted && suits(security));
    const from = chance > 0 && open.length > 0 ? open : all;
    return from[number % from.length] ?? null;
  });
}

/** What of a security: all that it holds, or some amount that may be too much. */
const share = fc
  .option(amount, { freq: 2 })
  .map(
    (text) => (security: ModelSecurity) =>
      text === null && security.quantity > 0n ? show(security.quantity) : (text ?? "1"),
  );

/** Makes a choice of a step on a security; `build` gets the chosen values and the security. */
function onSecurity<T extends object>(
  suits: Suits,
  values: fc.Arbitrary<T>,
  build: (given: T, index: number, security: ModelSecurity) => Step,
): fc.Arbitrary<Choice> {
  return fc.tuple(target(suits), values).map(([find, given]) => (model) => {
    const found = find(model);
    return found && build(given, found.index, found.security);
  });
}

/** Makes a choice of a step that needs nothing to be there. */
function always<T extends object>(values: fc.Arbitrary<T>, build: (given: T) => Step): fc.Arbitrary<Choice> {
  return values.map((given) => () => build(given));
}

const issue = { holder, quantity: amount, certificate, date };

const issues: readonly fc.Arbitrary<Choice>[] = [
  always(fc.record({ ...issue, stockClass, price: fc.option(price) }), (given) => ({ op: "issue-shares", ...given })),
  always(
    fc.record({ ...issue, plan, stockClass: maybeClass, strike: price, expires, hasTerms: fc.boolean() }),
    (given) => ({
      op: "issue-options",
      ...given,
    }),
  ),
  always(fc.record({ ...issue, stockClass: maybeClass, strike: price }), (given) => ({
    op: "issue-warrant",
    ...given,
  })),
  always(fc.record(issue), (given) => ({ op: "issue-convertible", ...given })),
];

const moves: readonly fc.Arbitrary<Choice>[] = [
  onSecurity(
    isAny,
    fc.record({ share, to: holder, wrong: fc.integer({ min: 0, max: 9 }), date }),
    (given, security, held) => ({
      op: "transfer",
      security,
      from: given.wrong === 0 ? (held.holder + 1) % START.holders : held.holder,
      to: given.to,
      quantity: given.share(held),
      date: given.date,
    }),
  ),
  onSecurity(
    isGrant,
    fc.record({ share, stockClass, strike: price, wrong: fc.integer({ min: 0, max: 9 }), date }),
    (given, security, held) => ({
      op: "exercise",
      security,
      quantity: given.share(held),
      strike: given.wrong === 0 || held.strike === null ? given.strike : show(held.strike),
      stockClass: given.stockClass,
      date: given.date,
    }),
  ),
  onSecurity(isAny, fc.record({ share, returnToPool: fc.boolean(), date }), (given, security, held) => ({
    op: "cancel",
    security,
    quantity: given.share(held),
    returnToPool: given.returnToPool,
    date: given.date,
  })),
  onSecurity(
    isConvertible,
    fc.record({ quantity: fc.option(amount), stockClass, resulting: amount, date }),
    (given, security) => ({
      op: "convert",
      security,
      ...given,
    }),
  ),
  onSecurity(isStock, fc.record({ share, date }), (given, security, held) => ({
    op: "repurchase",
    security,
    quantity: given.share(held),
    date: given.date,
  })),
];

const condition = fc.constantFrom("month", "sale", "none");

/** What moves no share and only says when shares vest. */
const vestings: readonly fc.Arbitrary<Choice>[] = [
  onSecurity(isGrant, fc.record({ condition: fc.option(condition), date }), (given, security) => ({
    op: "start-vesting",
    security,
    ...given,
  })),
  onSecurity(isGrant, fc.record({ share, date }), (given, security, held) => ({
    op: "accelerate-vesting",
    security,
    quantity: given.share(held),
    date: given.date,
  })),
  onSecurity(isGrant, fc.record({ condition: fc.option(condition), share, date }), (given, security, held) => {
    const rest = { op: "record-vesting-event", security, date: given.date } as const;
    if (given.condition !== null) return { ...rest, condition: given.condition, quantity: null };
    return { ...rest, condition: null, quantity: given.share(held) };
  }),
];

const ratio = fc.integer({ min: 1, max: 7 });

const figures: readonly fc.Arbitrary<Choice>[] = [
  always(fc.record({ stockClass, numerator: ratio, denominator: ratio, rounding, date }), (given) => ({
    op: "split",
    ...given,
  })),
  always(fc.record({ stockClass, figure, date }), (given) => ({ op: "adjust-authorized", ...given })),
  always(fc.record({ plan, figure, date }), (given) => ({ op: "adjust-reserve", ...given })),
  always(fc.record({ stockClass, figure }), (given) => ({ op: "patch-class", ...given })),
  always(fc.record({ plan, figure: figure.filter((text) => text !== "0") }), (given) => ({
    op: "patch-plan",
    ...given,
  })),
];

const recorded = fc.constantFrom("STOCK_ISSUANCE", "STOCK_SPLIT", "WARRANT_TRANSFER", "STOCK_PLAN_ADJUSTMENT");

const edit: fc.Arbitrary<Edit> = fc.record(
  { quantity: amount, status, holder, stockClass, plan, price, strike: price },
  { requiredKeys: [] },
);

const direct: readonly fc.Arbitrary<Choice>[] = [
  always(fc.record({ ...issue, kind, status, stockClass: maybeClass, plan: maybePlan }), (given) => ({
    op: "post-security",
    ...given,
  })),
  onSecurity(isAny, fc.record({ edit }), (given, security) => ({ op: "patch-security", security, ...given })),
  onSecurity(isAny, fc.record({ date }), (given, security) => ({ op: "retract", security, ...given })),
  onSecurity(isAny, fc.record({ date, type: recorded, quantity: amount }), (given, security) => ({
    op: "record-only",
    security,
    ...given,
  })),
  always(fc.record({ plan, classes: fc.uniqueArray(stockClass) }), (given) => ({ op: "patch-plan-classes", ...given })),
  onSecurity(isAny, fc.record({}), (_given, security) => ({ op: "delete-security", security })),
];

/** One step of a history. */
export const choice: fc.Arbitrary<Choice> = fc.oneof(
  ...issues.map((arbitrary) => ({ weight: 3, arbitrary })),
  ...moves.map((arbitrary) => ({ weight: 4, arbitrary })),
  ...vestings.map((arbitrary) => ({ weight: 2, arbitrary })),
  ...figures.map((arbitrary) => ({ weight: 1, arbitrary })),
  ...direct.map((arbitrary) => ({ weight: 1, arbitrary })),
);

/** A history of up to `length` steps. */
export function histories(length: number): fc.Arbitrary<Choice[]> {
  return fc.array(choice, { minLength: 1, maxLength: length, size: "max" });
}

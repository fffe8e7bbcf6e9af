// Random histories: raw choices that are resolved against the model as the history goes, so that most steps make sense
// and some do not. Shrinking a raw choice keeps it valid; printed, it shows what was chosen.
import fc from "fast-check";
import { START } from "./model/start.ts";
import type { Model, Security } from "./model/state.ts";
import type { Edit, Kind, Status, Step } from "./model/step.ts";
import { VARIANTS } from "./model/terms.ts";
import { ONE, type Rounding, show, units } from "./model/units.ts";

/** The days on which things happen: past, today (2026-06-15), tomorrow and later. */
export const DATES = [
  "2024-02-29",
  "2025-01-15",
  "2025-06-30",
  "2026-03-01",
  "2026-06-15",
  "2026-06-16",
  "2026-12-31",
  "2031-01-01",
] as const;

/** A choice that becomes a step once it is known what there is; null when there is nothing to do it to. */
export type Choice = ((model: Model) => Step | null) & { readonly op: string };

const holder = fc.nat(START.holders - 1);
const stockClass = fc.nat(START.classes.length - 1);
const plan = fc.nat(START.plans.length - 1);
const terms = fc.nat(VARIANTS.length - 1);
const maybeClass = fc.option(stockClass);
const maybePlan = fc.option(plan);
const maybeTerms = fc.option(terms, { freq: 3 });
/** Any day; mostly one that every route takes. */
const date = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...DATES.slice(0, 6)) },
  { weight: 1, arbitrary: fc.constantFrom(...DATES) },
);
/** For what must not be earlier than what was done before. */
const lateDate = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("2026-06-15", "2026-06-16") },
  { weight: 1, arbitrary: date },
);
const start = fc.option(fc.constantFrom("2023-10-31", "2024-08-31", "2025-06-30", "2026-05-31"), { freq: 2 });
const price = fc.constantFrom("0.25", "1", "2.50", "0.0001", "3.3333333333");
const figure = fc.constantFrom("0", "40", "90.5", "150", "400.00", "900");
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom("0.5", "12.50", "0.0000000001", "33.3333333333", "007", "250") },
);
const certificate = fc.integer({ min: 1, max: 200 }).map((number) => `C-${number}`);
const kind = fc.constantFrom<Kind>("STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE");
const status = fc.constantFrom<Status>("ACTIVE", "CANCELLED", "EXERCISED", "CONVERTED", "REPURCHASED", "TRANSFERRED");
const rounding = fc.constantFrom<Rounding>("DOWN", "UP", "NEAREST", "FRACTIONAL");
const expires = fc.option(fc.constantFrom("2025-06-30", "2040-01-01"), { freq: 3 });

type Suits = (security: Security, model: Model, index: number) => boolean;
const isStock: Suits = ({ kind: type }) => type === "STOCK";
const isGrant: Suits = ({ kind: type }) => type === "STOCK_OPTION" || type === "WARRANT";
const isConvertible: Suits = ({ kind: type }) => type === "STOCK" || type === "CONVERTIBLE";
const isAny: Suits = () => true;
const isByTerms: Suits = (_security, model, index) => model.vesting[index]?.own === null;
const hasTerms: Suits = (_security, model, index) => typeof model.vesting[index]?.terms === "number";

/** A security: mostly an open one that suits, where there is any. */
const target = fc.tuple(fc.nat(10_000), fc.integer({ min: 0, max: 9 }));
/** As often any one, closed or not. */
const anyTarget = fc.tuple(fc.nat(10_000), fc.integer({ min: 0, max: 1 }));

function find([number, chance]: readonly [number, number], suits: Suits, model: Model) {
  const all = model.securities.flatMap((security, index) => (security ? [{ security, index }] : []));
  const open = all.filter(({ security }) => security.status === "ACTIVE" && !security.isDeleted);
  const suitable = open.filter(({ security, index }) => suits(security, model, index));
  const from = chance > 0 && suitable.length > 0 ? suitable : all;
  return from[number % from.length] ?? null;
}

/** How much of a security: all that it holds (null), so many eighths, or some amount that may be too much. */
type Share = string | number | null;
const eighths = fc.integer({ min: 1, max: 7 });
const share: fc.Arbitrary<Share> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: eighths },
  { weight: 1, arbitrary: amount },
);

function sharesOf(given: Share, { quantity }: Security): string {
  if (typeof given === "string") return given;
  if (quantity === 0n) return "1";
  if (given === null) return show(quantity);
  const part = (quantity * BigInt(given)) / 8n;
  const whole = (part / ONE) * ONE;
  return show(whole > 0n ? whole : part || quantity);
}

/** The class given, or the next one where the security is of it. */
function otherClass(given: number, held: Security): number {
  return given === held.stockClass ? (given + 1) % START.classes.length : given;
}

function named(op: string, given: object, choose: (model: Model) => Step | null): Choice {
  return Object.assign(choose, { op, [fc.toStringMethod]: () => `${op} ${JSON.stringify(given)}` });
}

/** Makes a choice of a step on a security; `build` gets the chosen values and the security. */
function onSecurity<T extends object>(
  op: string,
  suits: Suits,
  values: fc.Arbitrary<T>,
  build: (given: T, index: number, security: Security) => Step,
  among = target,
): fc.Arbitrary<Choice> {
  return fc.tuple(among, values).map(([where, given]) =>
    named(op, { where, ...given }, (model) => {
      const found = find(where, suits, model);
      return found && build(given, found.index, found.security);
    }),
  );
}

/** Makes a choice of a step that needs nothing to be there. */
function always<T extends object>(op: string, values: fc.Arbitrary<T>, build: (given: T) => Step) {
  return values.map((given) => named(op, given, () => build(given)));
}

const issue = { holder, quantity: amount, certificate, date, terms: maybeTerms, start };

const issues: readonly fc.Arbitrary<Choice>[] = [
  always("issue-shares", fc.record({ ...issue, stockClass, price: fc.option(price) }), (given) => ({
    op: "issue-shares",
    ...given,
  })),
  always("issue-options", fc.record({ ...issue, plan, stockClass: maybeClass, strike: price, expires }), (given) => ({
    op: "issue-options",
    ...given,
  })),
  always("issue-warrant", fc.record({ ...issue, stockClass: maybeClass, strike: price }), (given) => ({
    op: "issue-warrant",
    ...given,
  })),
  always("issue-convertible", fc.record({ ...issue, terms: fc.constant(null), start: fc.constant(null) }), (given) => ({
    op: "issue-convertible",
    ...given,
  })),
];

/** How many of the shares that go are to be vested ones: mostly not said, else so many eighths, or some amount. */
const vested = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: eighths },
  { weight: 1, arbitrary: amount },
);

function vestedOf(given: Share, quantity: string): string | null {
  return typeof given === "number" ? show(((units(quantity) * BigInt(given)) / (8n * ONE)) * ONE) : given;
}

const rarely = fc.integer({ min: 0, max: 9 });

const moves: readonly fc.Arbitrary<Choice>[] = [
  onSecurity(
    "transfer",
    isAny,
    fc.record({ share, to: holder, wrong: rarely, vested, date }),
    (given, security, held) => {
      const quantity = sharesOf(given.share, held);
      const from = given.wrong === 0 ? (held.holder + 1) % START.holders : held.holder;
      const to = given.wrong > 1 && given.to === held.holder ? (held.holder + 1) % START.holders : given.to;
      return {
        op: "transfer",
        security,
        from,
        to,
        quantity,
        vested: vestedOf(given.vested, quantity),
        date: given.date,
      };
    },
  ),
  onSecurity(
    "exercise",
    isGrant,
    fc.record({ share, stockClass: maybeClass, strike: price, wrong: rarely, early: fc.boolean(), date }),
    (given, security, held) => ({
      op: "exercise",
      security,
      quantity: sharesOf(given.share, held),
      strike: given.wrong === 0 || held.strike === null ? given.strike : show(held.strike),
      stockClass: given.stockClass,
      early: given.early,
      date: given.date,
    }),
  ),
  onSecurity(
    "convert",
    isConvertible,
    fc.record({ share, stockClass, resulting: amount, wrong: rarely, date: lateDate }),
    (given, security, held) => ({
      op: "convert",
      security,
      quantity: given.share === null ? null : sharesOf(given.share, held),
      stockClass: given.wrong === 0 ? given.stockClass : otherClass(given.stockClass, held),
      resulting: given.resulting,
      date: given.date,
    }),
  ),
];

const takes: readonly fc.Arbitrary<Choice>[] = [
  onSecurity("cancel", isAny, fc.record({ share, returnToPool: fc.boolean(), vested, date }), taking("cancel")),
  onSecurity(
    "repurchase",
    isStock,
    fc.record({ share, returnToPool: fc.boolean(), vested, date: lateDate }),
    taking("repurchase"),
  ),
];

interface Taken {
  readonly share: Share;
  readonly returnToPool: boolean;
  readonly vested: Share;
  readonly date: string;
}

function taking(op: "cancel" | "repurchase") {
  return ({ share: given, vested: part, ...rest }: Taken, security: number, held: Security): Step => {
    const quantity = sharesOf(given, held);
    return { op, security, quantity, vested: vestedOf(part, quantity), ...rest };
  };
}

const condition = fc.constantFrom("quarter", "month", "half", "stay", "sale", "no-such");

/** What moves no share and only says when shares vest. */
const vestings: readonly fc.Arbitrary<Choice>[] = [
  onSecurity(
    "start-vesting",
    hasTerms,
    fc.record({ condition: fc.option(condition, { freq: 2 }), date }),
    (given, security) => ({
      op: "start-vesting",
      security,
      ...given,
    }),
  ),
  onSecurity("accelerate-vesting", hasTerms, fc.record({ share, date }), (given, security, held) => ({
    op: "accelerate-vesting",
    security,
    quantity: sharesOf(given.share, held),
    date: given.date,
  })),
  onSecurity(
    "record-vesting-event",
    hasTerms,
    fc.record({
      condition: fc.option(fc.constantFrom("sale", "sale", "sale", "month", "no-such"), { freq: 3 }),
      share,
      date,
    }),
    (given, security, held) => {
      const rest = { op: "record-vesting-event", security, date: given.date } as const;
      if (given.condition !== null) return { ...rest, condition: given.condition, quantity: null };
      return { ...rest, condition: null, quantity: sharesOf(given.share, held) };
    },
  ),
  onSecurity("patch-vesting", isAny, fc.record({ terms: fc.option(maybeTerms), start }), (given, security) => {
    const change = given.start === null ? {} : { start: given.start };
    return { op: "patch-vesting", security, ...change, ...(given.terms === null ? {} : { terms: given.terms }) };
  }),
  always("patch-terms", fc.record({ terms, variant: fc.nat(1) }), (given) => ({ op: "patch-terms", ...given })),
];

const milestone = fc.nat(1000);

const milestones: readonly fc.Arbitrary<Choice>[] = [
  onSecurity("add-milestone", isByTerms, fc.record({ share }), (given, security, held) => ({
    op: "add-milestone",
    security,
    quantity: sharesOf(given.share, held),
  })),
  onMilestone("complete-milestone"),
  onMilestone("delete-milestone"),
];

function onMilestone(op: "complete-milestone" | "delete-milestone"): fc.Arbitrary<Choice> {
  return milestone.map((number) =>
    named(op, { number }, ({ milestones }) => {
      const all = milestones.map((each, index) => ({ each, index }));
      const pending = all.filter(({ each }) => !each.isDone && !each.isDeleted);
      const from = number % 3 > 0 && pending.length > 0 ? pending : all;
      const found = from[number % from.length];
      return found ? { op, milestone: found.index } : null;
    }),
  );
}

const ratio = fc.integer({ min: 1, max: 7 });

const figures: readonly fc.Arbitrary<Choice>[] = [
  always(
    "split",
    fc.record({ stockClass, numerator: ratio, denominator: ratio, rounding, date: lateDate }),
    (given) => ({
      op: "split",
      ...given,
    }),
  ),
  always("adjust-authorized", fc.record({ stockClass, figure, date: lateDate }), (given) => ({
    op: "adjust-authorized",
    ...given,
  })),
  always("adjust-reserve", fc.record({ plan, figure, date: lateDate }), (given) => ({
    op: "adjust-reserve",
    ...given,
  })),
  always("patch-class", fc.record({ stockClass, figure }), (given) => ({ op: "patch-class", ...given })),
  always("patch-plan", fc.record({ plan, figure: figure.filter((text) => text !== "0") }), (given) => ({
    op: "patch-plan",
    ...given,
  })),
];

const rare: readonly fc.Arbitrary<Choice>[] = [
  always("patch-plan-classes", fc.record({ plan, classes: fc.uniqueArray(stockClass) }), (given) => ({
    op: "patch-plan-classes",
    ...given,
  })),
  always("delete-class", fc.record({ stockClass }), (given) => ({ op: "delete-class", ...given })),
  always("delete-plan", fc.record({ plan }), (given) => ({ op: "delete-plan", ...given })),
];

const recorded = fc.constantFrom("STOCK_ISSUANCE", "STOCK_SPLIT", "WARRANT_TRANSFER", "STOCK_PLAN_ADJUSTMENT");

const edit: fc.Arbitrary<Edit> = fc.record(
  { quantity: amount, status, holder, stockClass, plan: fc.option(plan, { freq: 4 }), price, strike: price },
  { requiredKeys: [] },
);

const direct: readonly fc.Arbitrary<Choice>[] = [
  always("post-security", fc.record({ ...issue, kind, status, stockClass: maybeClass, plan: maybePlan }), (given) => ({
    op: "post-security",
    ...given,
  })),
  onSecurity("patch-security", isAny, fc.record({ edit }), (given, security) => ({
    op: "patch-security",
    security,
    ...given,
  })),
  onSecurity(
    "resize",
    isAny,
    fc.record({ quantity: amount }),
    (given, security) => ({
      op: "patch-security",
      security,
      edit: given,
    }),
    anyTarget,
  ),
  onSecurity("retract", isAny, fc.record({ date: lateDate }), (given, security) => ({
    op: "retract",
    security,
    ...given,
  })),
  onSecurity("record-only", isAny, fc.record({ date, type: recorded, quantity: amount }), (given, security) => ({
    op: "record-only",
    security,
    ...given,
  })),
  onSecurity("delete-security", isAny, fc.record({}), (_given, security) => ({ op: "delete-security", security })),
];

/** One step of a history. */
export const choice: fc.Arbitrary<Choice> = fc.oneof(
  ...issues.map((arbitrary) => ({ weight: 12, arbitrary })),
  ...moves.map((arbitrary) => ({ weight: 20, arbitrary })),
  ...takes.map((arbitrary) => ({ weight: 12, arbitrary })),
  ...vestings.map((arbitrary) => ({ weight: 6, arbitrary })),
  ...milestones.map((arbitrary) => ({ weight: 7, arbitrary })),
  ...figures.map((arbitrary) => ({ weight: 4, arbitrary })),
  ...direct.map((arbitrary) => ({ weight: 5, arbitrary })),
  ...rare.map((arbitrary) => ({ weight: 3, arbitrary })),
);

/** One step, three times of four of the operations named. */
export function choiceOfAll(ops: readonly string[]): fc.Arbitrary<Choice> {
  const meant = choice.filter(({ op }) => ops.includes(op));
  return fc.oneof({ weight: 1, arbitrary: choice }, { weight: 3, arbitrary: meant });
}

/** A history of up to `length` steps. */
export function histories(length: number, step = choice): fc.Arbitrary<Choice[]> {
  return fc.array(step, { minLength: 1, maxLength: length, size: "max" });
}

const OPERATIONS: readonly string[] = [
  ...["issue-shares", "issue-options", "issue-warrant", "issue-convertible", "transfer", "exercise", "convert"],
  ...["cancel", "repurchase", "retract", "start-vesting", "accelerate-vesting", "record-vesting-event", "split"],
  ...["adjust-authorized", "adjust-reserve"],
];
const EDITS: readonly string[] = [
  ...[
    "post-security",
    "patch-security",
    "delete-security",
    "patch-vesting",
    "patch-class",
    "patch-plan",
    "record-only",
  ],
  ...["patch-plan-classes", "delete-class", "delete-plan", "add-milestone", "complete-milestone", "delete-milestone"],
];

/** The kinds of steps that enough histories must come to: done, refused, and tried dry. */
export const KINDS = {
  done: [...OPERATIONS, ...EDITS, "patch-terms"],
  refused: [...OPERATIONS, ...EDITS].filter((op) => op !== "record-only" && op !== "delete-milestone"),
  dry: OPERATIONS,
} as const;

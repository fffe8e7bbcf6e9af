// Random histories: raw choices that are resolved against the model as the history goes, so that most steps make sense
// and some do not. Shrinking a raw choice keeps it valid; printed, it shows what was chosen.
import fc from "fast-check";
import {
  always,
  anyTarget,
  type Choice,
  hasTerms,
  isAny,
  isByTerms,
  isConvertible,
  isGrant,
  isStock,
  named,
  onSecurity,
} from "./choosing.ts";
import { TODAY } from "./model/dates.ts";
import { firstHolder, isConcerned } from "./model/leaving.ts";
import { haltedOn } from "./model/parcels.ts";
import { START } from "./model/start.ts";
import { isOpen, type Model, type Security } from "./model/state.ts";
import type { Edit, Step } from "./model/step.ts";
import { show } from "./model/units.ts";
import { standing } from "./model/vesting.ts";
import {
  amount,
  certificate,
  date,
  expires,
  figure,
  holder,
  kind,
  lateDate,
  maybeClass,
  maybePlan,
  maybeTerms,
  otherClass,
  plan,
  price,
  rarely,
  rounding,
  type Share,
  share,
  sharesOf,
  start,
  status,
  stockClass,
  terms,
  vested,
  vestedOf,
} from "./values.ts";

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
    (given, security, held, model) => {
      const into = given.wrong === 0 ? given.stockClass : otherClass(given.stockClass, held);
      return {
        op: "convert",
        security,
        quantity: given.share === null ? null : sharesOf(given.share, held),
        stockClass: into,
        resulting: given.resulting,
        hasRight: hasRight(held, into, model),
        date: given.date,
      };
    },
  ),
];

/** Whether stock is of a preferred class, and the class named the oldest common one, into which that converts. */
function hasRight({ kind: type, stockClass: from }: Security, into: number, { classes }: Model): boolean {
  if (type !== "STOCK" || from === null || START.classes[from]?.classType !== "PREFERRED") return false;
  const isThere = (_: unknown, at: number) => classes[at]?.isDeleted === false;
  return START.classes.findIndex((each, at) => each.classType === "COMMON" && isThere(each, at)) === into;
}

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

/** Where vesting of something stopped, mostly a return. */
function amongStopped(choose: Choice): Choice {
  return named(choose.op, {}, (model) => {
    const step = choose(model);
    const stopped = model.securities.flatMap((each, index) => {
      return isOpen(each) && haltedOn(standing(model, index)) !== null ? [index] : [];
    });
    if (step?.op !== "start-vesting" || stopped.length === 0) return step;
    const security = stopped[step.security % stopped.length] ?? step.security;
    const on = haltedOn(standing(model, security)) ?? step.date;
    // A return on a day before the end, or on it, is tried as well; as often it is some time after.
    const isMoved = step.date <= on && model.log.length % 2 === 0;
    const date = isMoved ? Temporal.PlainDate.from(on).add({ days: 92 }).toString() : step.date;
    return { ...step, security, condition: null, date };
  });
}

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
  ).map(amongStopped),
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

const days = fc.option(fc.constantFrom(0, 15, 90, 365));
/** With so many days, the first security that a leaving concerns goes on as it is. */
const GOES_ON = 15;

/** To whom stock was first issued that vests and that others hold. */
function grantedTo(model: Model): number[] {
  return model.securities.flatMap((each, index) => {
    if (!isOpen(each) || each.kind !== "STOCK" || !hasTerms(each, model, index)) return [];
    const first = firstHolder(model, model.vesting[index]?.grant ?? index);
    return first === null || first === each.holder ? [] : [first];
  });
}

/** A holder leaves: mostly one with options that vest, if there is one. */
const leaves = fc.record({ holder, other: rarely, days, date }).map((given) =>
  named("terminate-service", given, (model) => {
    const held = model.securities.flatMap((each, index) => {
      const mayEnd = isOpen(each) && (each.kind === "STOCK_OPTION" || each.kind === "STOCK");
      return mayEnd && hasTerms(each, model, index) ? [each.holder] : [];
    });
    const apart = given.days === null ? grantedTo(model) : [];
    const from = apart.length > 0 ? apart : given.other > 0 && held.length > 0 ? held : [given.holder];
    const chosen = from[given.holder % from.length] ?? given.holder;
    const concerned = model.securities.flatMap((each, index) => {
      return isOpen(each) && isConcerned(model, chosen, index) ? [index] : [];
    });
    const continues = given.days === GOES_ON ? concerned.slice(0, 1) : [];
    // What others hold of a grant was divided off it lately: an earlier day is seldom taken.
    const day = apart.length > 0 ? TODAY : given.date;
    return { op: "terminate-service", holder: chosen, days: given.days, date: day, continues };
  }),
);

const rare: readonly fc.Arbitrary<Choice>[] = [
  always("patch-plan-classes", fc.record({ plan, classes: fc.uniqueArray(stockClass) }), (given) => ({
    op: "patch-plan-classes",
    ...given,
  })),
  always("delete-class", fc.record({ stockClass }), (given) => ({ op: "delete-class", ...given })),
  always("delete-plan", fc.record({ plan }), (given) => ({ op: "delete-plan", ...given })),
];

const recorded = fc.constantFrom("STOCK_ISSUANCE", "STOCK_SPLIT", "WARRANT_TRANSFER", "STOCK_PLAN_ADJUSTMENT");

/** Whether an edit changes what the ledger counts. */
const isMoving = ({ quantity, holder, stockClass: into, plan: under }: Edit) =>
  [quantity, holder, into, under].some((each) => each !== undefined);

/** With a price such an edit is a correction from the first day, which has a property of its own. */
const edit: fc.Arbitrary<Edit> = fc
  .record(
    { quantity: amount, status, holder, stockClass, plan: fc.option(plan, { freq: 4 }), price, strike: price },
    { requiredKeys: [] },
  )
  .map(({ price: paid, strike, ...moved }) => {
    if (isMoving(moved)) return moved;
    return { ...moved, ...(paid === undefined ? {} : { price: paid }), ...(strike === undefined ? {} : { strike }) };
  });

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
  { weight: 6, arbitrary: leaves },
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
  ...["adjust-authorized", "adjust-reserve", "terminate-service"],
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

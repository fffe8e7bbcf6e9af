// When a grant vests by its terms, for the few terms that the histories use: each condition once or a counted number of
// times, each waiting for at most one other.
import { halfEven, ONE, type Units } from "./units.ts";

export interface Condition {
  readonly id: string;
  /** Months between its happenings; null for one that waits for an event. */
  readonly months: number | null;
  readonly times: number;
  /** The part of the grant that each happening vests. */
  readonly portion: readonly [numerator: number, denominator: number];
  /** The condition that must have happened before it begins. */
  readonly after: string | null;
}

export interface Terms {
  readonly method: "CUMULATIVE_ROUNDING" | "CUMULATIVE_ROUND_DOWN" | "FRACTIONAL";
  readonly conditions: readonly Condition[];
}

/** A part of a security's shares that vests on one day; null while it waits. */
export interface Parcel {
  date: string | null;
  condition: string | null;
  occurrence: number;
  milestone: number | null;
  quantity: Units;
  /** Since when it vests no more, and the day on which it would have; then `date` is null. */
  halted?: { readonly on: string; readonly day: string | null };
}

/** When each condition began or happened, as the ledger says. */
export interface Happenings {
  /** The day from which the terms count. */
  readonly start: string;
  /** Days from which single conditions count. */
  readonly starts: ReadonlyMap<string, string>;
  /** The days on which events happened, by condition. */
  readonly events: ReadonlyMap<string, readonly string[]>;
}

/** The tranches of a quantity: by date, then those that wait; what no condition vests waits at the end. */
export function schedule(terms: Terms, happenings: Happenings, quantity: Units): Parcel[] {
  const dated = terms.conditions.flatMap((condition) => datesOf(terms, condition, happenings));
  dated.sort((a, b) => compareDates(a.date, b.date));
  const shares = allocate(
    terms,
    quantity,
    dated.map(({ portion }) => portion),
  );
  const parcels = dated.map(({ date, condition, occurrence }, index): Parcel => {
    return { date, condition, occurrence, milestone: null, quantity: shares[index] ?? 0n };
  });
  const rest = quantity - shares.reduce((sum, share) => sum + share, 0n);
  const never: Parcel = { date: null, condition: null, occurrence: 0, milestone: null, quantity: rest };
  return [...parcels, never].filter((parcel) => parcel.quantity > 0n);
}

/** Earlier first, what waits last. */
export function compareDates(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null || a < b ? -1 : 1;
}

/** A day as months from an origin, so that only the end clamps. */
interface Moment {
  readonly origin: string;
  readonly months: number;
}

const dayOf = ({ origin, months }: Moment): string => Temporal.PlainDate.from(origin).add({ months }).toString();

const later = (a: Moment, b: Moment): Moment => (dayOf(b) > dayOf(a) ? b : a);

function datesOf(terms: Terms, condition: Condition, happenings: Happenings) {
  return Array.from({ length: condition.times }, (_, index) => {
    const moment = momentOf(terms, condition, happenings, index + 1);
    const { id, portion } = condition;
    return { date: moment && dayOf(moment), condition: id, occurrence: index + 1, portion };
  });
}

/** When a condition happens for the nth time; null while that is open. */
function momentOf(terms: Terms, condition: Condition, happenings: Happenings, nth: number): Moment | null {
  const gate = gateOf(terms, condition, happenings);
  if (gate === null) return null;
  if (condition.months === null) {
    const day = happenings.events.get(condition.id)?.toSorted()[nth - 1];
    if (day === undefined) return null;
    return gate ? later(gate, { origin: day, months: 0 }) : { origin: day, months: 0 };
  }
  const named = happenings.starts.get(condition.id);
  const origin = named === undefined ? (gate ?? { origin: happenings.start, months: 0 }) : { origin: named, months: 0 };
  const own = { origin: origin.origin, months: origin.months + condition.months * nth };
  return gate ? later(gate, own) : own;
}

/** The end of the condition that this one waits for: undefined without one, null while that is open. */
function gateOf(terms: Terms, { after }: Condition, happenings: Happenings): Moment | null | undefined {
  const earlier = terms.conditions.find(({ id }) => id === after);
  return earlier && momentOf(terms, earlier, happenings, earlier.times);
}

function allocate({ method }: Terms, quantity: Units, portions: Condition["portion"][]): Units[] {
  let [upTo, over] = [0n, 1n];
  let given = 0n;
  const shares: Units[] = [];
  for (const [numerator, denominator] of portions) {
    [upTo, over] = [upTo * BigInt(denominator) + BigInt(numerator) * over, over * BigInt(denominator)];
    const isLast = shares.length === portions.length - 1;
    let share: Units;
    if (method !== "FRACTIONAL") share = wholeShares(quantity * upTo, over, method) - given;
    else if (isLast) share = halfEven(quantity * upTo, over) - given;
    else share = halfEven(quantity * BigInt(numerator), BigInt(denominator));
    if (upTo >= over || share > quantity - given) share = quantity - given;
    shares.push(share);
    given += share;
  }
  return shares;
}

function wholeShares(numerator: bigint, denominator: bigint, method: Terms["method"]): Units {
  const whole = denominator * ONE;
  const half = method === "CUMULATIVE_ROUNDING" ? denominator * ONE : 0n;
  return ((2n * numerator + half) / (2n * whole)) * ONE;
}

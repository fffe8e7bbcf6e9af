// The schedule of one security (DECISIONS section 9): terms and history in, dated shares out. The grant is cut into
// parcels that always sum to it; accelerations, cancellations and milestones only move or remove parcels. Pure.
import { assert } from "../kernel/assert.ts";
import type { CalendarDate } from "../kernel/date.ts";
import { type Decimal, max, min, sum, ZERO } from "../kernel/decimal.ts";
import { allocate } from "./allocate.ts";
import { grantOf, shareEntries, total, vestingDates } from "./history.ts";
import { planOf } from "./plan.ts";
import { tranchesOf } from "./timeline.ts";
import type { VestingEvent, VestingHistory, VestingMilestone, VestingRules, VestingStatus } from "./types.ts";

/** Shares that vest together; `date` is `null` while they wait for something that has no day yet. */
interface Parcel {
  readonly date: CalendarDate | null;
  readonly quantity: Decimal;
  readonly conditionId: string | null;
}

/** Sorts after every date, as shares without one stand after all events. */
const NO_DATE = "~";

function position(parcel: Parcel): string {
  return parcel.date ?? NO_DATE;
}

function insert(parcels: Parcel[], parcel: Parcel): void {
  if (parcel.quantity === ZERO) return;
  const at = parcels.findLastIndex((other) => position(other) <= position(parcel)) + 1;
  parcels.splice(at, 0, parcel);
}

/** Takes up to `quantity` shares away from the end, the undated first, none that vest by `keepUntil`; says how many. */
function takeFromEnd(parcels: Parcel[], quantity: Decimal, keepUntil: CalendarDate | null): Decimal {
  let left = quantity;
  while (left > ZERO) {
    const last = parcels.at(-1);
    if (last === undefined || (keepUntil !== null && position(last) <= keepUntil)) break;
    parcels.pop();
    const taken = min(left, last.quantity);
    if (taken < last.quantity) parcels.push({ ...last, quantity: last.quantity - taken });
    left -= taken;
  }
  return quantity - left;
}

/** The grant by the terms alone. Without terms all of it vests with the grant. */
function parcelsByTerms(rules: VestingRules | null, history: VestingHistory, grant: Decimal): Parcel[] {
  if (rules === null) return [{ date: history.grantDate, quantity: grant, conditionId: null }];
  const dates = vestingDates(history);
  const [only] = rules.vestingConditions;
  const plan = planOf(rules, dates.conditionStarts.get(only?.id ?? "") ?? dates.start);
  const tranches = tranchesOf(plan, dates);
  const portions = tranches.map(({ portion }) => portion);
  const shares = allocate(rules.allocationMethod, grant, portions, plan.whole);
  const parcels = tranches.map(({ date, conditionId }, i) => ({ date, conditionId, quantity: shares[i] ?? ZERO }));
  return [...parcels, { date: null, quantity: grant - sum(shares), conditionId: null }];
}

/** Milestones hold the last shares back: until completion those have no date, then that day's. */
function holdForMilestones(parcels: Parcel[], milestones: readonly VestingMilestone[]): void {
  const held = milestones.map(({ completedOn, quantity }) => ({
    date: completedOn,
    quantity: takeFromEnd(parcels, quantity, null),
    conditionId: null,
  }));
  for (const parcel of held) insert(parcels, parcel);
}

/** All shares of the security as of a day, in order of date, and what has been exercised by then. */
function parcelsOf(rules: VestingRules | null, history: VestingHistory, asOf: CalendarDate) {
  const entries = shareEntries(history, asOf);
  const grant = grantOf(entries);
  const parcels = parcelsByTerms(rules, history, grant).filter(({ quantity }) => quantity > ZERO);
  holdForMilestones(parcels, history.milestones);
  let gone = ZERO;
  for (const { kind, date, quantity } of entries) {
    if (kind === "ACCELERATED") {
      insert(parcels, { date, quantity: takeFromEnd(parcels, quantity, date), conditionId: null });
    } else if (kind === "CANCELLED") {
      gone += takeFromEnd(parcels, quantity, null);
    }
  }
  const quantity = sum(parcels.map((parcel) => parcel.quantity));
  assert(quantity === grant - gone, "the parts of a grant do not sum to it");
  assert(
    parcels.every((parcel) => parcel.quantity > ZERO),
    "a part of a grant is not positive",
  );
  return { parcels, quantity, exercised: total(entries, "EXERCISED") };
}

function vestedBy(date: CalendarDate, parcels: readonly Parcel[]): Decimal {
  return sum(parcels.filter((parcel) => position(parcel) <= date).map(({ quantity }) => quantity));
}

/**
 * How a security vests, as of a day (DECISIONS section 9; `GET /securities/{id}/vesting`). `rules` is `null` without
 * terms: then all vests with the grant, but for milestones' quantities.
 *
 * - What lowers the holding after `asOf` is not yet seen; dates of events to come are.
 * - A cancellation takes from the end: shares without a date, then events to come, then those that have vested.
 * - An acceleration takes from the end too, but only what had not vested by its day, and vests it on that day.
 * - A transfer leaves a smaller grant, which then is scheduled as if it had never been larger.
 */
export function vestingStatus(rules: VestingRules | null, history: VestingHistory, asOf: CalendarDate): VestingStatus {
  const { parcels, quantity, exercised } = parcelsOf(rules, history, asOf);
  const vested = vestedBy(asOf, parcels);
  const events = parcels.filter((parcel): parcel is VestingEvent => parcel.date !== null);
  const scheduled = sum(events.map((event) => event.quantity));
  return { quantity, vested, unvested: quantity - vested, unscheduled: quantity - scheduled, exercised, events };
}

/** How many shares have vested by a day and how many of them can still be exercised. */
export interface Exercisable {
  readonly vested: Decimal;
  readonly exercisable: Decimal;
}

/**
 * What an exercise on `date` may take (DECISIONS section 8): vested by then, less all that was ever exercised. Whatever
 * is on the ledger counts, of later days too, so that an exercise dated back takes nothing that is already gone.
 */
export function exercisableOn(rules: VestingRules | null, history: VestingHistory, date: CalendarDate): Exercisable {
  const { parcels, exercised } = parcelsOf(rules, history, "9999-12-31");
  const vested = vestedBy(date, parcels);
  return { vested, exercisable: max(ZERO, vested - exercised) };
}

// Vesting of one security during a replay: its changes so far, and the effect of splits. Pure; vesting-book.ts keeps
// one for each security.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, floorDivide, ONE, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import type { SplitEvent } from "../replay/event.ts";
import { splitCount } from "../splits/stock-split.ts";
import type { SecurityState } from "../types.ts";
import type { Parcels } from "../vesting/parcels.ts";
import * as lists from "../vesting/parcels.ts";
import type { Shares } from "../vesting/schedule.ts";
import * as schedule from "../vesting/schedule.ts";
import type {
  ParcelChange,
  VestingEntry,
  VestingHistory,
  VestingMilestone,
  VestingRules,
} from "../vesting/vesting-types.ts";

/** How a security vests: its terms (null without terms), and its history. */
export interface SecurityVesting {
  readonly rules: VestingRules | null;
  readonly history: VestingHistory;
  /** Its own parcels, if it has any: then terms and history no longer apply to its shares. */
  readonly own: Shares | null;
  /** The day on which vesting resumed after a stop; null if it did not. */
  readonly resumedOn?: CalendarDate | null;
}

/** The shares of a security, as of a day if its schedule makes them. */
export function sharesIn({ rules, history, own }: SecurityVesting, asOf: CalendarDate = schedule.LAST_DAY): Shares {
  return own ?? schedule.sharesOf(rules, history, asOf);
}

/** The number of outstanding shares unvested by a day. */
export function unvestedOn({ rules, history, own }: SecurityVesting, day: CalendarDate): Decimal {
  if (own === null) return schedule.unvestedOf(rules, history, day);
  const open = schedule.openOf(own);
  return lists.countOf(open) - lists.vestedBy(open, day);
}

/** The same for some days, on which no entry on it and no split of it counts that does not on the first of them. */
export function courseFrom({ rules, history, own }: SecurityVesting, span: lists.CourseSpan): lists.Course | null {
  return own === null ? schedule.courseOf(rules, history, span) : lists.courseOf(schedule.openOf(own), span);
}

/**
 * Whether terms and start of vesting no longer apply to the security: it was divided, made from another, or imported
 * so.
 */
export function hasOwnParcels({ own, history }: SecurityVesting): boolean {
  return own !== null || (history.vestings ?? null) !== null;
}

/** Facts for a security's vesting that the ledger does not have. */
export interface VestingSubject {
  readonly id: string;
  readonly grantDate: CalendarDate;
  readonly vestingStartDate: CalendarDate | null;
  readonly vestingTermsId: string | null;
  readonly rules: VestingRules | null;
  /** The vesting of an imported issuance. */
  readonly vestings: Parcels | null;
  readonly milestones: readonly AttachedMilestone[];
}

/** A milestone that names the security. */
export interface AttachedMilestone extends VestingMilestone {
  readonly id: string;
  /** The ledger's length when it was attached; null if that was not recorded: it holds from the start. */
  readonly heldFrom: number | null;
}

/** A split of shares under a schedule: their vesting before it, and the conversion of a count. */
interface SplitKept {
  readonly date: CalendarDate;
  readonly before: SecurityVesting;
  readonly was: Decimal;
  readonly now: Decimal;
  count(quantity: Decimal): Decimal;
}

/** One security's vesting during the replay. */
export interface Account {
  readonly subject: VestingSubject;
  entries: VestingEntry[];
  changes: ParcelChange[];
  /** The splits that multiplied its scheduled shares, in order. */
  splits: readonly SplitKept[];
  own: Shares | null;
  /** The security after the last processed entry. */
  last: SecurityState | undefined;
  /** Its last shares before it became empty, in case a correction gives it some again. */
  lastOpen: Parcels;
  /** Shares taken unvested by early exercises, in today's shares. */
  early: Decimal;
  /** Whether a view leaves out some entries on it, or on its source. */
  isPartial: boolean;
  /** Milestones held back, and the completed ones in the ledger's order. */
  held: ReadonlySet<string>;
  completed: ReadonlySet<string>;
  /** The last day on which vesting resumed after a stop. */
  resumedOn: CalendarDate | null;
}

/** Shared by the many securities without history, since a large company has very many. */
const NONE: ReadonlySet<never> = new Set<never>();
const NO_PARCELS: Parcels = [];
const NO_SPLITS: readonly SplitKept[] = [];

/** The state shared by securities without a processed entry. */
export const NOTHING_FOLLOWED = {
  splits: NO_SPLITS,
  own: null,
  lastOpen: NO_PARCELS,
  early: ZERO,
  held: NONE,
  completed: NONE,
  resumedOn: null,
} as const;

/** How the security vests by the processed entries. */
export function vestingOf(account: Account): SecurityVesting {
  const { subject, entries, changes, own, completed, resumedOn } = account;
  const { grantDate, vestingStartDate, vestings } = subject;
  const milestones = subject.milestones.filter(({ heldFrom }) => heldFrom === null);
  return {
    rules: subject.rules,
    history: {
      grantDate,
      vestingStartDate,
      entries,
      changes,
      vestings,
      milestones: milestones.map((each) => (completed.has(each.id) ? { ...each, completedOn: null } : each)),
    },
    own: own && { ...own, early: account.early },
    resumedOn,
  };
}

/** The shares by the processed entries. */
export function sharesOf(account: Account): Shares {
  return sharesIn(vestingOf(account));
}

/** Makes a change: on own parcels at once, else when its schedule is computed. */
export function change(account: Account, what: ParcelChange): void {
  if (account.own === null) account.changes.push(what);
  else account.own = schedule.changed(account.own, what);
}

/** Imported vesting becomes own parcels with the first change that multiplies it. */
export function settle(account: Account): void {
  if (account.own === null && account.subject.vestings !== null) account.own = sharesOf(account);
}

/** A security's quantity before and after a split. */
interface Quantities {
  readonly was: Decimal;
  readonly now: Decimal;
}

/** A split multiplies own parcels; a grant is scheduled over its new quantity, and no vested share unvests. */
export function followSplit(account: Account, { entry, split }: SplitEvent, { was, now }: Quantities): void {
  const { effectiveDate: date } = entry;
  const { numerator, denominator } = split;
  settle(account);
  const count = (quantity: Decimal) => splitCount(quantity, split, was % ONE === ZERO && now % ONE === ZERO);
  account.early = count(account.early);
  if (account.own !== null) {
    account.own = multiplied(account.own, count, now, was);
    return;
  }
  const before = vestingOf({ ...account, entries: [...account.entries], changes: [...account.changes] });
  const made: SplitKept = { date, before, was, now, count };
  account.changes = account.changes.map((each) => ("quantity" in each ? scaled(each, count) : each));
  const gone = sum(account.changes.map((each) => ("quantity" in each && TAKES.has(each.kind) ? each.quantity : ZERO)));
  account.entries.push({ kind: "SPLIT", date, numerator, denominator, after: now + gone });
  const isKept = account.changes.length > 0 && was > ZERO;
  account.splits = [...account.splits, made];
  if (!isKept) return;
  const quantity = keptIn(made, before.history);
  account.changes.push({ kind: "KEPT_VESTED", date, quantity, split: account.splits.length - 1 });
}

/** The shares vested before a split by a history, counted after it. */
function keptIn({ before, date, was, now }: SplitKept, history: VestingHistory): Decimal {
  if (was === ZERO) return ZERO;
  const open = schedule.openOf(schedule.sharesOf(before.rules, history, schedule.LAST_DAY));
  return floorDivide(lists.vestedBy(open, date) * now, was * ONE) * ONE;
}

/**
 * Applies a start or an event of vesting. It sets when shares vest, and have vested, whenever it is recorded: so the
 * shares that earlier splits keep vested follow from it as well.
 */
export function followFact(account: Account, fact: VestingEntry): void {
  account.entries.push(fact);
  if (account.own !== null || account.splits.length === 0) return;
  const facts = account.entries.filter(isFact);
  let kept: readonly Decimal[] = [];
  for (const split of account.splits) {
    const { history } = split.before;
    const entries = [...history.entries.filter((each) => !isFact(each)), ...facts];
    const quantity = keptIn(split, { ...history, entries, changes: keptBy(history.changes ?? [], kept) });
    kept = [...kept.map((each) => split.count(each)), quantity];
  }
  account.changes = keptBy(account.changes, kept);
}

function isFact({ kind }: VestingEntry): boolean {
  return kind === "STARTED" || kind === "HAPPENED";
}

/** The changes, with the vested shares that each split keeps. */
function keptBy(changes: readonly ParcelChange[], kept: readonly Decimal[]): ParcelChange[] {
  return changes.map((each) => (each.kind === "KEPT_VESTED" ? { ...each, quantity: kept[each.split] ?? ZERO } : each));
}

const TAKES: ReadonlySet<ParcelChange["kind"]> = new Set(["CANCELLED", "EXERCISED", "DIVIDED"]);

function scaled<C extends Extract<ParcelChange, { quantity: Decimal }>>(each: C, count: (of: Decimal) => Decimal): C {
  const vested = "vested" in each && each.vested !== null ? { vested: count(each.vested) } : {};
  return { ...each, quantity: count(each.quantity), ...vested };
}

function multiplied(own: Shares, count: (of: Decimal) => Decimal, now: Decimal, was: Decimal): Shares {
  const exercised = count(own.exercised);
  const front = lists.multiply(schedule.exercisedOf(own), exercised, own.exercised);
  const open = was === ZERO ? [] : lists.multiply(schedule.openOf(own), now, was);
  return { ...own, all: lists.joined(front, open), exercised };
}

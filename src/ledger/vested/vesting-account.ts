// One security's vesting while the ledger is replayed: what was followed so far, and what a split makes of it. Pure; vesting-book.ts keeps one for each security.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, floorDivide, ONE, scale, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Split } from "../splits/stock-split.ts";
import type { EntryDraft, SecurityState } from "../types.ts";
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

/** How a security vests: its terms (null where none apply), and what has happened to it. */
export interface SecurityVesting {
  readonly rules: VestingRules | null;
  readonly history: VestingHistory;
  /** Its shares, where it has parcels of its own: then terms and history say nothing about them any more. */
  readonly own: Shares | null;
  /** The day from which its vesting went on after it had stopped; null where it did not. */
  readonly resumedOn?: CalendarDate | null;
}

/** The shares of a security, as of a day where its schedule makes them. */
export function sharesIn({ rules, history, own }: SecurityVesting, asOf: CalendarDate = schedule.LAST_DAY): Shares {
  return own ?? schedule.sharesOf(rules, history, asOf);
}

/** How many of the outstanding shares have not vested by a day. */
export function unvestedOn({ rules, history, own }: SecurityVesting, day: CalendarDate): Decimal {
  if (own === null) return schedule.unvestedOf(rules, history, day);
  const open = schedule.openOf(own);
  return lists.countOf(open) - lists.vestedBy(open, day);
}

/** Whether terms and start of vesting bear on the security no more: it was divided, or made of another, or imported so. */
export function hasOwnParcels({ own, history }: SecurityVesting): boolean {
  return own !== null || (history.vestings ?? null) !== null;
}

/** What the ledger does not say about a security, and its vesting needs. */
export interface VestingSubject {
  readonly id: string;
  readonly grantDate: CalendarDate;
  readonly vestingStartDate: CalendarDate | null;
  readonly vestingTermsId: string | null;
  readonly rules: VestingRules | null;
  /** What came with an imported issuance. */
  readonly vestings: Parcels | null;
  readonly milestones: readonly AttachedMilestone[];
}

/** A milestone that names the security. */
export interface AttachedMilestone extends VestingMilestone {
  readonly id: string;
  /** How many entries the ledger had when it was attached; null where nobody noted that: it holds from the start. */
  readonly heldFrom: number | null;
}

/** A split of shares that a schedule makes: how these vested before it, and what it makes of a count of them. */
interface SplitKept {
  readonly date: CalendarDate;
  readonly before: SecurityVesting;
  readonly was: Decimal;
  readonly now: Decimal;
  count(quantity: Decimal): Decimal;
}

/** One security's vesting while it is followed. */
export interface Account {
  readonly subject: VestingSubject;
  entries: VestingEntry[];
  changes: ParcelChange[];
  /** The splits that multiplied what its schedule makes, one after the other. */
  splits: readonly SplitKept[];
  own: Shares | null;
  /** The security after the last entry that was followed. */
  last: SecurityState | undefined;
  /** The last shares before nothing was outstanding any more, should a correction give it some again. */
  lastOpen: Parcels;
  /** Taken unvested by early exercises, in today's shares. */
  early: Decimal;
  /** Whether a view leaves out some of what happened to it, or to what it was made of. */
  isPartial: boolean;
  /** Milestones that are held back, and those that were completed in the order of the ledger. */
  held: ReadonlySet<string>;
  completed: ReadonlySet<string>;
  /** The last day on which its vesting went on after it had stopped. */
  resumedOn: CalendarDate | null;
}

/** What most securities have none of: they share it, as a large company has very many. */
const NONE: ReadonlySet<never> = new Set<never>();
const NO_PARCELS: Parcels = [];
const NO_SPLITS: readonly SplitKept[] = [];

/** What of an account is the same for each that nothing was followed of. */
export const NOTHING_FOLLOWED = {
  splits: NO_SPLITS,
  own: null,
  lastOpen: NO_PARCELS,
  early: ZERO,
  held: NONE,
  completed: NONE,
  resumedOn: null,
} as const;

/** How the security vests by what was followed so far. */
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

/** The shares by what was followed so far. */
export function sharesOf(account: Account): Shares {
  return sharesIn(vestingOf(account));
}

/** Carries out a change: on parcels of its own at once, else when its schedule is asked for. */
export function change(account: Account, what: ParcelChange): void {
  if (account.own === null) account.changes.push(what);
  else account.own = schedule.changed(account.own, what);
}

/** What came with an issuance is parcels of its own from the first change on that multiplies them. */
export function settle(account: Account): void {
  if (account.own === null && account.subject.vestings !== null) account.own = sharesOf(account);
}

/** What a security held before a split, and after it. */
interface Quantities {
  readonly was: Decimal;
  readonly now: Decimal;
}

/** A split multiplies parcels of its own; a grant is scheduled over its new quantity, and nothing that vested unvests. */
export function followSplit(account: Account, entry: EntryDraft, split: Split, { was, now }: Quantities): void {
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

/** What had vested before a split by a history, in the shares after it. */
function keptIn({ before, date, was, now }: SplitKept, history: VestingHistory): Decimal {
  if (was === ZERO) return ZERO;
  const open = schedule.openOf(schedule.sharesOf(before.rules, history, schedule.LAST_DAY));
  return floorDivide(lists.vestedBy(open, date) * now, was * ONE) * ONE;
}

/**
 * Follows a start or an event of vesting. It says when shares vest, and have vested, whenever it is recorded: so what
 * earlier splits keep vested follows from it as well.
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

/** The changes, with how many shares each split keeps vested. */
function keptBy(changes: readonly ParcelChange[], kept: readonly Decimal[]): ParcelChange[] {
  return changes.map((each) => (each.kind === "KEPT_VESTED" ? { ...each, quantity: kept[each.split] ?? ZERO } : each));
}

const TAKES: ReadonlySet<ParcelChange["kind"]> = new Set(["CANCELLED", "EXERCISED", "DIVIDED"]);

/** A count of shares that are gone, in the shares after a split: whole ones where the security's are. */
function splitCount(quantity: Decimal, { numerator, denominator }: Split, isWhole: boolean): Decimal {
  if (!isWhole) return scale(quantity, numerator, denominator);
  return floorDivide(quantity * numerator, denominator * ONE) * ONE;
}

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

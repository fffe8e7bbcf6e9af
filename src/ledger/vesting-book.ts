// Follows how securities vest while the ledger is replayed, entry by entry (DECISIONS section 9, TRUTH section 2): a
// grant by its terms and what has happened to it, everything that was divided or made of one by parcels of its own.
// Pure: entries, and what is known of the securities besides, come from elsewhere.
import type { CalendarDate } from "../kernel/date.ts";
import { type Decimal, floorDivide, ONE, parseDecimal, scale, sum, ZERO } from "../kernel/decimal.ts";
import type { Parcels } from "../vesting/parcels.ts";
import * as lists from "../vesting/parcels.ts";
import type { Shares } from "../vesting/schedule.ts";
import * as schedule from "../vesting/schedule.ts";
import { readParcels } from "../vesting/told.ts";
import type { ParcelChange, VestingEntry, VestingHistory, VestingMilestone, VestingRules } from "../vesting/types.ts";
import { isIssuance, textOf } from "./effects.ts";
import { isFormer } from "./former-rules.ts";
import { isImported } from "./imported.ts";
import { readSplit, type Split, splitFilter } from "./split.ts";
import type { LedgerState } from "./state.ts";
import type { EntryDraft, Metadata, SecurityState } from "./types.ts";

/** How a security vests: its terms (null where none apply), and what has happened to it. */
export interface SecurityVesting {
  readonly rules: VestingRules | null;
  readonly history: VestingHistory;
  /** Its shares, where it has parcels of its own: then terms and history say nothing about them any more. */
  readonly own: Shares | null;
}

/** The shares of a security, as of a day where its schedule makes them. */
export function sharesIn({ rules, history, own }: SecurityVesting, asOf: CalendarDate = schedule.LAST_DAY): Shares {
  return own ?? schedule.sharesOf(rules, history, asOf);
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

/** An entry with its place in the ledger. */
export interface PlacedEntry {
  readonly entry: EntryDraft;
  readonly sequence: number;
}

/** One security's vesting while it is followed. */
interface Account {
  readonly subject: VestingSubject;
  entries: VestingEntry[];
  changes: ParcelChange[];
  own: Shares | null;
  /** The security after the last entry that was followed. */
  last: SecurityState | undefined;
  /** The last shares before nothing was outstanding any more, should a correction give it some again. */
  lastOpen: Parcels;
  /** Taken unvested by early exercises, in today's shares. */
  early: Decimal;
  /** Terms that were done with when an ordinary exercise by the former rules made stock of what they were on. */
  termsDone: ReadonlySet<string | null>;
  /** Whether a view leaves out some of what happened to it. */
  isPartial: boolean;
  /** Milestones that are held back, and those that were completed in the order of the ledger. */
  readonly held: Set<string>;
  readonly completed: Set<string>;
}

/** The vesting of all securities that `find` knows, entry by entry. */
export class VestingBook {
  readonly #find: (id: string) => VestingSubject | null;
  readonly #accounts = new Map<string, Account>();
  /** What conversions divided off, by the id of the stock that their issuance makes. */
  readonly #converted = new Map<string, { readonly moved: Parcels; readonly quantity: Decimal }>();

  constructor(find: (id: string) => VestingSubject | null) {
    this.#find = find;
  }

  /** How the security vests by what was followed so far; null where nothing made it yet. */
  of(id: string): SecurityVesting | null {
    const account = this.#accounts.get(id);
    if (!account) return null;
    this.#hold(account, Number.POSITIVE_INFINITY);
    return vestingOf(account);
  }

  /** Follows an entry, which `state` has just applied. */
  follow({ entry, sequence }: PlacedEntry, state: LedgerState): void {
    if (entry.recordOnly) return;
    if (entry.type === "STOCK_SPLIT") {
      this.#followSplit(entry, state);
      return;
    }
    const source = this.#accounts.get(entry.securityId ?? "");
    if (source) {
      this.#hold(source, sequence - 1);
      this.#followSource(source, entry, state);
    }
    const madeId = isIssuance(entry) ? entry.securityId : textOf(entry.metadata, "newSecurityId");
    const made = state.securities.get(madeId ?? "");
    if (made && !this.#accounts.has(made.id)) this.#open(made, entry, source);
  }

  /** Notes an entry that does not count in this view. */
  skip({ securityId }: EntryDraft): void {
    const account = this.#accounts.get(securityId ?? "");
    if (account) account.isPartial = true;
  }

  /** Milestones hold shares back from the place in the ledger on at which they were attached. */
  #hold(account: Account, sequence: number): void {
    for (const { id, quantity, heldFrom } of account.subject.milestones) {
      if (heldFrom === null || heldFrom > sequence || account.held.has(id)) continue;
      account.held.add(id);
      if (account.own === null) account.changes.push({ kind: "HELD", milestoneId: id, quantity });
    }
  }

  #open(made: SecurityState, entry: EntryDraft, source: Account | undefined): void {
    const subject = this.#find(made.id);
    if (!subject) return;
    const account: Account = {
      ...{ subject, entries: [], changes: [], own: null, last: made, lastOpen: [], early: ZERO },
      ...{ termsDone: new Set(), isPartial: false, held: new Set(), completed: new Set() },
    };
    this.#accounts.set(made.id, account);
    if (isFormer(entry)) this.#openFormer(account, made, entry, source);
    else if (entry.metadata.ocfObjectType !== undefined || (isIssuance(entry) && entry.metadata.conversion !== true)) {
      account.entries.push({ kind: "ISSUED", date: entry.effectiveDate, quantity: made.quantity });
    } else {
      account.own = { all: this.#arrived(made, entry), exercised: ZERO, early: ZERO };
    }
  }

  /** By the former rules what was made of another security inherited terms, starts and events. */
  #openFormer(account: Account, made: SecurityState, entry: EntryDraft, source: Account | undefined): void {
    const origin = source ?? this.#accounts.get(textOf(entry.metadata, "originSecurityId") ?? "");
    if (origin) {
      account.entries.push(...origin.entries.filter(({ kind }) => kind === "STARTED" || kind === "HAPPENED"));
      const isDone = entry.type.endsWith("_EXERCISE") && entry.metadata.earlyExercise !== true;
      const { vestingTermsId } = origin.subject;
      account.termsDone = isDone ? new Set([...origin.termsDone, vestingTermsId]) : origin.termsDone;
    }
    account.entries.push({ kind: "ISSUED", date: entry.effectiveDate, quantity: made.quantity });
  }

  /** What a transfer, exercise or conversion gave to the security that it made. */
  #arrived(made: SecurityState, entry: EntryDraft): Parcels {
    const { effectiveDate: date, metadata } = entry;
    const allVested = [lists.parcelOn(date, made.quantity)];
    if (isIssuance(entry)) {
      const converted = this.#converted.get(made.id);
      this.#converted.delete(made.id);
      return converted
        ? lists.multiply(lists.arrivedOn(converted.moved, date), made.quantity, converted.quantity)
        : allVested;
    }
    const { moved } = toldParcels(metadata);
    if (moved === null || entry.type === "CONVERTIBLE_CONVERSION") return allVested;
    return lists.arrivedOn(moved, date);
  }

  #followSource(account: Account, entry: EntryDraft, state: LedgerState): void {
    const was = account.last;
    const now = state.security(account.subject.id);
    account.last = now;
    if (entry.type.startsWith("VESTING_")) this.#followFact(account, entry);
    else if (was) {
      const before = account.own && schedule.openOf(account.own);
      if (entry.metadata.directEdit === true) followEdit(account, entry, was, now);
      else this.#followMove(account, entry, was.quantity - now.quantity);
      if (before && before.length > 0 && now.quantity === ZERO) account.lastOpen = before;
    }
  }

  #followFact(account: Account, entry: EntryDraft): void {
    const { type, effectiveDate: date, metadata, quantity } = entry;
    const conditionId = textOf(metadata, "conditionId");
    const milestoneId = textOf(metadata, "milestoneId");
    if (milestoneId !== null) {
      if (isFormer(entry)) return;
      account.completed.add(milestoneId);
      change(account, { kind: "COMPLETED", date, milestoneId });
    } else if (account.own !== null && (type === "VESTING_START" || conditionId !== null)) {
      account.own = schedule.withOpen(account.own, dated(schedule.openOf(account.own), metadata));
    } else if (type === "VESTING_START") account.entries.push({ kind: "STARTED", date, conditionId });
    else if (type === "VESTING_EVENT" && conditionId !== null) {
      account.entries.push({ kind: "HAPPENED", date, conditionId });
    } else if (quantity !== null) {
      const accelerated = { kind: "ACCELERATED", date, quantity: parseDecimal(quantity) } as const;
      if (isFormer(entry)) account.entries.push(accelerated);
      else change(account, accelerated);
    }
  }

  /** What took `quantity` of the security. */
  #followMove(account: Account, entry: EntryDraft, quantity: Decimal): void {
    const { type, effectiveDate: date, metadata } = entry;
    const isTransfer = type.endsWith("_TRANSFER");
    const isExercise = type.endsWith("_EXERCISE");
    if (quantity === ZERO) return;
    if (isFormer(entry)) {
      const kind = isTransfer ? "TRANSFERRED" : isExercise ? "EXERCISED" : "CANCELLED";
      account.entries.push({ kind, date, quantity });
    } else if (isImported(entry)) {
      if (isTransfer) change(account, { kind: "DIVIDED", date, quantity });
      else if (isExercise) change(account, { kind: "EXERCISED", date, quantity });
      else change(account, { kind: "CANCELLED", date, quantity, vested: null });
    } else if (isTransfer || type === "CONVERTIBLE_CONVERSION" || metadata.conversion === true) {
      this.#divide(account, entry, quantity);
    } else if (isExercise) followExercise(account, entry, quantity);
    else {
      const vested = textOf(metadata, "vestedQuantity");
      change(account, { kind: "CANCELLED", date, quantity, vested: vested === null ? null : parseDecimal(vested) });
    }
  }

  #divide(account: Account, entry: EntryDraft, quantity: Decimal): void {
    const { metadata, effectiveDate: date } = entry;
    const told = toldParcels(metadata);
    const open = schedule.openOf(sharesOf(account));
    const ripe = told.moved === null ? lists.vestedAtLatest(open, date) : open;
    const byRule = lists.divide(ripe, quantity, date, null);
    const moved = told.moved ?? byRule.moved;
    const newSecurityId = textOf(metadata, "newSecurityId");
    if (metadata.conversion === true && newSecurityId !== null) {
      this.#converted.set(newSecurityId, { moved, quantity });
    }
    divideOff(account, told, told.moved === null ? byRule.left : lists.subtract(ripe, moved));
  }

  #followSplit(entry: EntryDraft, state: LedgerState): void {
    const split = readSplit(entry.metadata);
    const isConcerned = splitFilter(split);
    for (const account of this.#accounts.values()) {
      const { last: was, subject } = account;
      const now = state.securities.get(subject.id);
      account.last = now;
      if (was && now && isConcerned(was)) followSplit(account, entry, split, was.quantity, now.quantity);
    }
  }
}

function vestingOf(account: Account): SecurityVesting {
  const { subject, entries, changes, own, termsDone, completed } = account;
  const { grantDate, vestingStartDate, vestingTermsId, vestings } = subject;
  const milestones = subject.milestones.filter(({ heldFrom }) => heldFrom === null);
  return {
    rules: termsDone.has(vestingTermsId) ? null : subject.rules,
    history: {
      grantDate,
      vestingStartDate,
      entries,
      changes,
      vestings,
      milestones: milestones.map((each) => (completed.has(each.id) ? { ...each, completedOn: null } : each)),
    },
    own: own && { ...own, early: account.early },
  };
}

/** The shares by what was followed so far. */
function sharesOf(account: Account): Shares {
  return sharesIn(vestingOf(account));
}

function change(account: Account, what: ParcelChange): void {
  if (account.own === null) account.changes.push(what);
  else account.own = schedule.changed(account.own, what);
}

/** What an entry says of the parcels of the security that it divides. */
export interface ToldParcels {
  readonly moved: Parcels | null;
  readonly left: Parcels | null;
  readonly exercised: Parcels;
}

/** What `metadata.parcels` says was moved and left; null where all had vested. */
export function toldParcels(metadata: Metadata): ToldParcels {
  const told = metadata.parcels as
    | { readonly moved?: unknown; readonly left?: unknown; exercised?: unknown }
    | undefined;
  return {
    moved: told?.moved === undefined ? null : readParcels(told.moved),
    left: told?.left === undefined ? null : readParcels(told.left),
    exercised: readParcels(told?.exercised),
  };
}

/** The security has parcels of its own from here on: those that were told, or in a view of less what is left by rule. */
function divideOff(account: Account, told: ToldParcels, byRule: Parcels): void {
  if (told.left === null || account.isPartial) {
    account.own = schedule.withOpen(sharesOf(account), byRule);
    return;
  }
  const exercised = lists.countOf(told.exercised);
  account.own = { all: lists.inOrderOfDate(lists.joined(told.exercised, told.left)), exercised, early: ZERO };
}

/** An exercise of vested shares leaves the schedule as it is; an early one tells the parcels that it took. */
function followExercise(account: Account, entry: EntryDraft, quantity: Decimal): void {
  const { effectiveDate: date, metadata } = entry;
  const told = toldParcels(metadata);
  const vested = told.moved === null ? quantity : lists.vestedBy(told.moved, date);
  if (told.moved === null || told.left === null || account.isPartial) {
    change(account, { kind: "EXERCISED", date, quantity: vested });
  }
  if (told.moved === null) return;
  const [, early] = lists.splitAt(told.moved, date);
  account.early += quantity - vested;
  divideOff(account, told, lists.subtract(schedule.openOf(sharesOf(account)), early));
}

/** A correction upwards grows the schedule, or multiplies parcels of its own; one downwards is a cancellation. */
function followEdit(account: Account, entry: EntryDraft, was: SecurityState, now: SecurityState): void {
  const { effectiveDate: date } = entry;
  const difference = now.quantity - was.quantity;
  if (difference === ZERO) return;
  if (difference < ZERO) {
    const [kind, quantity] = ["CANCELLED", -difference] as const;
    if (isFormer(entry)) account.entries.push({ kind, date, quantity });
    else change(account, { kind, date, quantity, vested: null });
  } else if (account.own === null) account.entries.push({ kind: "ISSUED", date, quantity: difference });
  else account.own = schedule.withOpen(account.own, raised(account, account.own, date, now.quantity));
}

function raised({ lastOpen }: Account, own: Shares, date: CalendarDate, now: Decimal): Parcels {
  const open = schedule.openOf(own);
  const from = open.length > 0 ? open : lastOpen;
  return from.length > 0 ? lists.multiply(from, now, lists.countOf(from)) : [lists.parcelOn(date, now)];
}

/** A split multiplies parcels of its own; a grant is scheduled over its new quantity, and nothing that vested unvests. */
function followSplit(account: Account, entry: EntryDraft, split: Split, was: Decimal, now: Decimal): void {
  const { effectiveDate: date } = entry;
  const { numerator, denominator } = split;
  if (isFormer(entry)) {
    account.entries.push({ kind: "SPLIT", date, numerator, denominator, after: now });
    return;
  }
  const count = (quantity: Decimal) => splitCount(quantity, split, was % ONE === ZERO && now % ONE === ZERO);
  account.early = count(account.early);
  if (account.own !== null) {
    account.own = multiplied(account.own, count, now, was);
    return;
  }
  const vested = lists.vestedBy(schedule.openOf(sharesOf(account)), date);
  account.changes = account.changes.map((each) => ("quantity" in each ? scaled(each, count) : each));
  const gone = sum(account.changes.map((each) => ("quantity" in each && TAKES.has(each.kind) ? each.quantity : ZERO)));
  account.entries.push({ kind: "SPLIT", date, numerator, denominator, after: now + gone });
  if (account.changes.length === 0 || was === ZERO) return;
  account.changes.push({ kind: "KEPT_VESTED", date, quantity: floorDivide(vested * now, was * ONE) * ONE });
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
  return { ...own, all: lists.inOrderOfDate(lists.joined(front, open)), exercised };
}

/** Gives waiting parcels the days that an entry tells. */
function dated(open: Parcels, metadata: Metadata): Parcels {
  const told = Array.isArray(metadata.dates) ? (metadata.dates as readonly ToldDate[]) : [];
  return lists.dateWaiting(open, ({ conditionId, occurrence }) => {
    return told.find((each) => each.conditionId === conditionId && each.occurrence === occurrence)?.date ?? null;
  });
}

/** A day that a waiting tranche got. */
export interface ToldDate {
  readonly conditionId: string | null;
  readonly occurrence: number;
  readonly date: CalendarDate;
}

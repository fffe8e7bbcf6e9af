// Vesting during a replay, entry by entry: a grant by its terms and history, every divided or derived security by own
// parcels. Pure: callers supply the entries and the other facts about securities.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { ToldDate, ToldParcels } from "../members.ts";
import type { LedgerEvent, SplitEvent } from "../replay/event.ts";
import type { LedgerState } from "../replay/state.ts";
import type { Listener } from "../replay/story.ts";
import { withheldOf } from "../rules/charges.ts";
import type { SecurityState } from "../types.ts";
import type { Parcels } from "../vesting/parcels.ts";
import * as lists from "../vesting/parcels.ts";
import type { Shares } from "../vesting/schedule.ts";
import * as schedule from "../vesting/schedule.ts";
import type { VestingEntry } from "../vesting/vesting-types.ts";
import {
  type Account,
  change,
  followFact,
  followSplit,
  NOTHING_FOLLOWED,
  type SecurityVesting,
  settle,
  sharesOf,
  type VestingSubject,
  vestingOf,
} from "./vesting-account.ts";
import { followStop } from "./vesting-stops.ts";

/** The vesting of all securities that `find` knows, entry by entry. */
export class VestingBook implements Listener {
  readonly #find: (id: string) => VestingSubject | null;
  readonly #accounts = new Map<string, Account>();
  /** Parcels divided off, by the id of the new security. */
  readonly #moved = new Map<string, { readonly moved: Parcels; readonly quantity: Decimal }>();

  constructor(find: (id: string) => VestingSubject | null) {
    this.#find = find;
  }

  /** A copy that can go on without touching this one. */
  copy(): VestingBook {
    const copy = new VestingBook(this.#find);
    for (const [id, account] of this.#accounts) {
      copy.#accounts.set(id, { ...account, entries: [...account.entries], changes: [...account.changes] });
    }
    for (const [id, moved] of this.#moved) copy.#moved.set(id, moved);
    return copy;
  }

  /** A copy for one security alone; null before the entry that creates it. */
  apart(id: string): VestingBook | null {
    const account = this.#accounts.get(id);
    if (!account) return null;
    const book = new VestingBook(this.#find);
    book.#accounts.set(id, { ...account, entries: [...account.entries], changes: [...account.changes] });
    return book;
  }

  /** How the security vests by the processed entries; null before the entry that creates it. */
  of(id: string): SecurityVesting | null {
    const account = this.#accounts.get(id);
    if (!account) return null;
    const vesting = vestingOf(account);
    const held = pendingHolds(account, Number.POSITIVE_INFINITY);
    if (account.own !== null || held.length === 0) return vesting;
    return { ...vesting, history: { ...vesting.history, changes: [...account.changes, ...held] } };
  }

  /** Processes an entry, which `state` has just applied. */
  follow(event: LedgerEvent, state: LedgerState): void {
    if (event.kind === "noted") return;
    if (event.kind === "split") {
      this.#followSplit(event, state);
      return;
    }
    const { entry, sequence, said } = event;
    const source = this.#accounts.get(entry.securityId ?? "");
    if (source) {
      this.#hold(source, sequence - 1);
      this.#followSource(source, event, state);
    }
    const madeId = event.kind === "issued" ? entry.securityId : said.newSecurityId;
    const made = state.securities.get(madeId ?? "");
    if (made && !this.#accounts.has(made.id)) this.#open(made, event, source);
  }

  /** Processes an entry that does not count in this view. A split may concern any security. */
  skip({ kind, entry }: LedgerEvent): void {
    const one = this.#accounts.get(entry.securityId ?? "");
    if (one) one.isPartial = true;
    if (kind === "split") for (const account of this.#accounts.values()) account.isPartial = true;
  }

  /** Milestones hold shares back from the place in the ledger at which they were attached. */
  #hold(account: Account, sequence: number): void {
    for (const held of pendingHolds(account, sequence)) {
      account.held = new Set([...account.held, held.milestoneId]);
      if (account.own === null) account.changes.push(held);
    }
  }

  #open(made: SecurityState, event: LedgerEvent, source: Account | undefined): void {
    const subject = this.#find(made.id);
    if (!subject) return;
    const { kind, entry, said } = event;
    const { originSecurityId, isConversion, imported } = said;
    const origin = source ?? this.#accounts.get(originSecurityId ?? "");
    const isPartial = origin?.isPartial ?? false;
    const account: Account = { ...NOTHING_FOLLOWED, subject, entries: [], changes: [], last: made, isPartial };
    this.#accounts.set(made.id, account);
    if (imported.objectType !== null || (kind === "issued" && !isConversion)) {
      account.entries.push({ kind: "ISSUED", date: entry.effectiveDate, quantity: made.quantity });
    } else {
      account.own = { all: this.#arrived(made, event), exercised: ZERO, early: ZERO };
      account.entries.push(...knownOf(origin));
    }
  }

  /** The parcels that a transfer, exercise or conversion moves to its new security, taken from the source. */
  #arrived(made: SecurityState, { kind, how, entry, said }: LedgerEvent): Parcels {
    const { effectiveDate: date } = entry;
    const allVested = [lists.parcelOn(date, made.quantity)];
    const divided = this.#moved.get(made.id);
    this.#moved.delete(made.id);
    if (how === "conversion") return allVested;
    if (divided) {
      const arrived = lists.arrivedOn(divided.moved, date);
      return kind === "issued" ? lists.multiply(arrived, made.quantity, divided.quantity) : arrived;
    }
    const { moved } = said.parcels;
    return moved === null || kind === "issued" ? allVested : lists.arrivedOn(moved, date);
  }

  #followSource(account: Account, event: LedgerEvent, state: LedgerState): void {
    const was = account.last;
    const now = state.security(account.subject.id);
    account.last = now;
    if (event.kind === "fact") this.#followFact(account, event);
    else if (was) {
      const isClosing = was.quantity > ZERO && now.quantity === ZERO;
      const before = isClosing ? lastOf(account, event) : [];
      if (event.kind === "edited") followEdit(account, event, was, now);
      else this.#followMove(account, event, was.quantity - now.quantity);
      if (before.length > 0) account.lastOpen = before;
    }
  }

  #followFact(account: Account, event: LedgerEvent): void {
    const { effectiveDate: date, quantity } = event.entry;
    const { milestoneId, dates, vestingStopped } = event.said;
    const fact = factOf(event);
    if (vestingStopped !== null) followStop(account, event, vestingStopped);
    else if (milestoneId !== null) {
      account.completed = new Set([...account.completed, milestoneId]);
      change(account, { kind: "COMPLETED", date, milestoneId });
    } else if (fact !== null) {
      followFact(account, fact);
      if (account.own === null) return;
      account.own = schedule.withOpen(account.own, dated(schedule.openOf(account.own), dates));
    } else if (quantity !== null) {
      change(account, { kind: "ACCELERATED", date, quantity: parseDecimal(quantity) });
    }
  }

  /** Takes `quantity` off the security. */
  #followMove(account: Account, event: LedgerEvent, quantity: Decimal): void {
    const { how, entry, said } = event;
    const { effectiveDate: date } = entry;
    if (quantity === ZERO) return;
    if (said.imported.hasEffect) {
      if (how === "transfer") change(account, { kind: "DIVIDED", date, quantity });
      else if (how === "exercise") change(account, { kind: "EXERCISED", date, quantity });
      else change(account, { kind: "CANCELLED", date, quantity, vested: null });
    } else if (isDivision(event)) {
      this.#divide(account, event, quantity);
    } else if (how === "exercise") this.#noteMoved(event, followExercise(account, event, quantity), quantity);
    else {
      const { vestedQuantity: vested } = said;
      change(account, { kind: "CANCELLED", date, quantity, vested: vested === null ? null : parseDecimal(vested) });
    }
  }

  #divide(account: Account, event: LedgerEvent, quantity: Decimal): void {
    const { parcels: told } = event.said;
    const { moved, left } = divisionOf(account, told, quantity, event.entry.effectiveDate);
    this.#noteMoved(event, moved, quantity);
    divideOff(account, told, left);
  }

  #noteMoved({ said: { newSecurityId } }: LedgerEvent, moved: Parcels | null, quantity: Decimal): void {
    if (newSecurityId !== null && moved !== null) this.#moved.set(newSecurityId, { moved, quantity });
  }

  #followSplit(event: SplitEvent, state: LedgerState): void {
    for (const account of this.#accounts.values()) {
      this.#hold(account, event.sequence - 1);
      const { last: was, subject } = account;
      const now = state.securities.get(subject.id);
      account.last = now;
      if (was && now && event.concerns(was)) followSplit(account, event, { was: was.quantity, now: now.quantity });
    }
  }
}

/** The starts and events of a security: they give the waiting shares of its derived securities their days, too. */
function knownOf(origin: Account | undefined): VestingEntry[] {
  return (origin?.entries ?? []).filter(({ kind }) => kind === "STARTED" || kind === "HAPPENED");
}

/** The start or event of vesting in an entry; null for all else. */
export function factOf({ how, entry, said }: LedgerEvent): VestingEntry | null {
  const { effectiveDate: date } = entry;
  const { conditionId, milestoneId, vestingStopped } = said;
  if (milestoneId !== null || vestingStopped !== null) return null;
  if (how === "start") return { kind: "STARTED", date, conditionId };
  return how === "event" && conditionId !== null ? { kind: "HAPPENED", date, conditionId } : null;
}

/** The milestones attached by a place in the ledger that do not hold shares back yet. */
function pendingHolds({ subject, held }: Account, sequence: number) {
  return subject.milestones.flatMap(({ id, quantity, heldFrom }) => {
    if (heldFrom === null || heldFrom > sequence || held.has(id)) return [];
    return [{ kind: "HELD", milestoneId: id, quantity } as const];
  });
}

/** Whether the entry divides parcels off. */
function isDivision({ how, said }: LedgerEvent): boolean {
  if (said.imported.hasEffect) return false;
  return how === "transfer" || how === "conversion" || said.isConversion;
}

/** The shares that a closing entry takes: as the entry stores them, whatever the terms now say. */
function lastOf(account: Account, event: LedgerEvent): Parcels {
  const open = schedule.openOf(sharesOf(account));
  if (account.isPartial) return open;
  const { moved } = event.said.parcels;
  if (moved !== null) return moved;
  return isDivision(event) ? lists.vestedAtLatest(open, event.entry.effectiveDate) : open;
}

/**
 * The moved and remaining parcels of a division. A view that leaves out entries may have other shares than the ledger
 * had: it moves as many of them, so that the division vests and unvests no share.
 */
function divisionOf(account: Account, told: ToldParcels, quantity: Decimal, date: CalendarDate): lists.Division {
  const open = schedule.openOf(sharesOf(account));
  if (told.moved === null) {
    if (account.isPartial) return lists.divideFirst(open, quantity);
    return lists.divide(lists.vestedAtLatest(open, date), quantity, date, null);
  }
  if (account.isPartial) return lists.divideSame(open, told.moved);
  return { moved: told.moved, left: told.left ?? lists.subtract(open, told.moved) };
}

/**
 * From here on the security has its own parcels: those of the entry, or in a view with fewer shares the rest by the
 * rule.
 */
function divideOff(account: Account, told: ToldParcels, byRule: Parcels): void {
  if (told.left === null || account.isPartial) {
    account.own = schedule.withOpen(sharesOf(account), byRule);
    return;
  }
  const exercised = lists.countOf(told.exercised);
  account.own = { all: lists.joined(told.exercised, told.left), exercised, early: ZERO };
}

/**
 * An exercise of vested shares leaves the schedule, and its withheld shares are gone; an early one stores its parcels,
 * which are returned.
 */
function followExercise(account: Account, { entry, said }: LedgerEvent, quantity: Decimal): Parcels | null {
  const { effectiveDate: date } = entry;
  const { parcels: told } = said;
  if (told.moved === null) {
    const withheld = withheldOf(said);
    change(account, { kind: "EXERCISED", date, quantity: quantity - withheld });
    if (withheld > ZERO) change(account, { kind: "CANCELLED", date, quantity: withheld, vested: withheld });
    return null;
  }
  const open = schedule.openOf(sharesOf(account));
  const isRecorded = told.left !== null && !account.isPartial;
  const { moved, left } = isRecorded ? { moved: told.moved, left: [] } : lists.divideFirst(open, quantity);
  const vested = lists.vestedBy(moved, date);
  if (!isRecorded) change(account, { kind: "EXERCISED", date, quantity: vested });
  account.early += quantity - vested;
  divideOff(account, told, left);
  return moved;
}

/** A correction upwards grows the schedule, or multiplies own parcels; one downwards is a cancellation. */
function followEdit(account: Account, { entry, said }: LedgerEvent, was: SecurityState, now: SecurityState): void {
  const { effectiveDate: date } = entry;
  const difference = now.quantity - was.quantity;
  if (difference === ZERO) return;
  if (said.isCorrection) {
    reissue(account, was, now);
    return;
  }
  if (difference > ZERO) settle(account);
  if (difference < ZERO) change(account, { kind: "CANCELLED", date, quantity: -difference, vested: null });
  else if (account.own === null) account.entries.push({ kind: "ISSUED", date, quantity: difference });
  else account.own = schedule.withOpen(account.own, raised(account, account.own, date, now.quantity));
}

/** A corrected security vests as if issued with that quantity: earlier edits leave no trace. */
function reissue(account: Account, was: SecurityState, now: SecurityState): void {
  settle(account);
  if (account.own !== null) {
    const open = lists.multiply(schedule.openOf(account.own), now.quantity, was.quantity);
    account.own = schedule.withOpen(account.own, open);
    return;
  }
  const first = account.entries.find(({ kind }) => kind === "ISSUED");
  account.entries = account.entries.flatMap((each): VestingEntry[] => {
    if (each.kind !== "ISSUED") return [each];
    return each === first ? [{ ...each, quantity: now.quantity }] : [];
  });
  account.changes = account.changes.filter(({ kind }) => kind !== "CANCELLED");
}

function raised({ lastOpen }: Account, own: Shares, date: CalendarDate, now: Decimal): Parcels {
  const open = schedule.openOf(own);
  const from = open.length > 0 ? open : lastOpen;
  return from.length > 0 ? lists.multiply(from, now, lists.countOf(from)) : [lists.parcelOn(date, now)];
}

/** Gives waiting parcels the days in an entry. */
function dated(open: Parcels, told: readonly ToldDate[]): Parcels {
  return lists.dateWaiting(open, ({ conditionId, occurrence }) => {
    return told.find((each) => each.conditionId === conditionId && each.occurrence === occurrence)?.date ?? null;
  });
}

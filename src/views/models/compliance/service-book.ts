// Vesting of grants in shares as granted, for the compliance reads and the expense schedule, whatever became of the
// securities: a second vesting book. It takes every entry that bears on service, as it would be without splits.
//
//   split                           nothing: terms schedule what was granted
//   exercise, cancellation, repurchase of what had vested
//                                   nothing: it was earned, and stays earned on the days on which it vested
//   cancellation of the unvested    forfeited from its day on
//   end of service                  forfeited from its day on; in the grant again from the day of a return on
//   transfer, conversion, early exercise
//                                   the unvested part goes on vesting in what was made; the vested part stays
//   correction, retraction          holds from the grant on
//
// In shares as granted an unvested part is as much of the unvested as it was of the ledger's. Pure.

import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, max, min, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type LedgerEvent, readEntry, type SplitEvent } from "../../../ledger/replay/event.ts";
import { LedgerState } from "../../../ledger/replay/state.ts";
import { correctionOf, RULES } from "../../../ledger/rules/charges.ts";
import type { EntryDraft, SecurityState } from "../../../ledger/types.ts";
import type { SecurityVesting } from "../../../ledger/vested/vesting-account.ts";
import { VestingBook } from "../../../ledger/vested/vesting-book.ts";
import type { Parcels } from "../../../ledger/vesting/parcels.ts";
import * as lists from "../../../ledger/vesting/parcels.ts";
import { tellParcels } from "../../../ledger/vesting/parcels-json.ts";
import type { Companion, VestingFollowed } from "../../cap-table/view.ts";
import { type Fraction, fraction, ofDecimal, over, shown, times, WHOLE } from "../fraction.ts";
import type { Issues } from "./issues.ts";
import { forfeitsByEdit, isPassedOn, partOf, type Told, takenBy, unvestedIn, without } from "./service-entries.ts";

/** Shares that were taken unvested, by the days on which they would have vested. */
export interface Lapsed {
  readonly date: CalendarDate;
  readonly parcels: Parcels;
}

/** Shares that were made to vest on a day, by the days on which they would have vested. */
export interface Accelerated {
  readonly date: CalendarDate;
  readonly parcels: Parcels;
}

/** Shares that were exercised on a day, as granted. */
export interface Exercised {
  readonly date: CalendarDate;
  readonly quantity: Fraction;
}

interface Followed {
  /** The grant that it came of. */
  readonly grantId: string;
  readonly grantDate: CalendarDate;
  /** Whether the ledger counts it in other shares than were granted. */
  isOtherwiseCounted: boolean;
  /** How many shares as granted one of the ledger's is, as far as packages split it. */
  perShare: Fraction;
  /** What is to be issued anew, in shares as granted; null where nothing is. */
  anew: Fraction | null;
  readonly lapsed: Lapsed[];
  readonly resumed: Lapsed[];
  readonly accelerated: Accelerated[];
}

/** How one grant vests, in all securities that its unvested shares went to. */
export interface Service {
  readonly vestings: readonly SecurityVesting[];
  readonly lapsed: readonly Lapsed[];
  /** Shares whose vesting went on after it had stopped, from a day on, by the days on which they vest since. */
  readonly resumed: readonly Lapsed[];
  readonly accelerated: readonly Accelerated[];
}

/** The vesting of the grants that `isAsked` names. */
export class ServiceBook implements Companion {
  readonly #issues: Issues;
  readonly #isAsked: (id: string) => boolean;
  readonly #followed = new Map<string, Followed>();
  /** By grant: the securities that it vests in. */
  readonly #family = new Map<string, string[]>();
  /** The grant of every security that came of one, vested or not; and by grant what was exercised. */
  readonly #grantOf = new Map<string, string>();
  readonly #exercises = new Map<string, readonly Exercised[]>();
  /** Securities with what of them was granted and has not left, in shares as granted. */
  readonly #state = new LedgerState();
  #ledgers: VestingBook | null = null;
  #book = new VestingBook(() => null);

  /** `issues` takes each entry before this book does. */
  constructor(issues: Issues, isAsked: (id: string) => boolean) {
    this.#issues = issues;
    this.#isAsked = isAsked;
  }

  begin(_state: LedgerState, { book, subjectOf }: VestingFollowed): void {
    this.#ledgers = book;
    this.#book = new VestingBook(subjectOf);
  }

  /** How a grant vests; null for stock that has vested with its grant. */
  serviceOf(grantId: string): Service | null {
    const ids = this.#family.get(grantId) ?? [];
    const vestings = ids.flatMap((id) => this.#book.of(id) ?? []);
    if (vestings.length === 0) return null;
    const own = ids.flatMap((id) => this.#followed.get(id) ?? []);
    const lapsed = own.flatMap((each) => each.lapsed).sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
    const resumed = own.flatMap((each) => each.resumed);
    return { vestings, lapsed, resumed, accelerated: own.flatMap((each) => each.accelerated) };
  }

  /** What was exercised of a grant, by any holder. */
  exercisesOf(grantId: string): readonly Exercised[] {
    return this.#exercises.get(grantId) ?? [];
  }

  follow(event: LedgerEvent, state: LedgerState): void {
    this.#followHolding(event);
    if (event.kind === "split") {
      this.#noteSplit(event, state);
      return;
    }
    const source = this.#followed.get(event.entry.securityId ?? "");
    if (source) this.#followSource(source, event, state);
    else if (event.kind === "issued") this.#open(event, state);
  }

  skip(event: LedgerEvent): void {
    if (event.kind !== "split") this.#book.skip(event);
    const source = this.#followed.get(event.entry.securityId ?? "");
    if (source) this.#correct(source, { ...event, sequence: Number.MAX_SAFE_INTEGER });
  }

  /** Which grant a security is of, and what is exercised of it. */
  #followHolding(event: LedgerEvent): void {
    const { how, entry, said } = event;
    const grantId = this.#grantOf.get(entry.securityId ?? "");
    if (grantId === undefined) return;
    const { newSecurityId, balanceSecurityId, resultingSecurityIds } = said;
    if (how !== "exercise" && said.after.status !== "EXERCISED") {
      for (const id of [newSecurityId, ...resultingSecurityIds]) if (id !== null) this.#grantOf.set(id, grantId);
    } else if (entry.quantity !== null) {
      const quantity = this.#issues.asIssued(grantId, takenBy(event));
      const exercised = this.#exercises.get(grantId) ?? [];
      this.#exercises.set(grantId, [...exercised, { date: entry.effectiveDate, quantity }]);
    }
    if (balanceSecurityId !== null) this.#grantOf.set(balanceSecurityId, grantId);
  }

  #open(event: LedgerEvent, state: LedgerState): void {
    const { securityId, effectiveDate } = event.entry;
    const security = state.securities.get(securityId ?? "");
    if (!security || event.said.isConversion || !this.#isAsked(security.id)) return;
    this.#put(security, security.quantity);
    this.#grantOf.set(security.id, security.id);
    this.#followNew(security.id, {
      grantId: security.id,
      grantDate: effectiveDate,
      isOtherwiseCounted: false,
      perShare: WHOLE,
      anew: null,
      lapsed: [],
      resumed: [],
      accelerated: [],
    });
    this.#book.follow(event, this.#state);
  }

  #followNew(id: string, followed: Followed): void {
    this.#followed.set(id, followed);
    const family = this.#family.get(followed.grantId);
    if (family) family.push(id);
    else this.#family.set(followed.grantId, [id]);
  }

  /** Only the security: totals of classes are not needed here. */
  #put(security: SecurityState, quantity: Decimal): void {
    this.#state.securities.set(security.id, { ...security, quantity });
  }

  #noteSplit({ split }: SplitEvent, state: LedgerState): void {
    const { stockClassId, inferredSecurityIds, securityIds, numerator, denominator } = split;
    const inferred = new Set(inferredSecurityIds);
    for (const [id, each] of this.#followed) {
      if (inferred.has(id) || state.securities.get(id)?.stockClassId === stockClassId) each.isOtherwiseCounted = true;
      if (securityIds?.includes(id)) each.perShare = times(each.perShare, fraction(denominator, numerator));
    }
  }

  #followSource(source: Followed, event: LedgerEvent, state: LedgerState): void {
    const { kind, how, entry, said } = event;
    const { parcels, isConversion, imported } = said;
    // A package issues by an entry of its own what has come to vest in the family already.
    if (kind === "issued") {
      if (source.anew !== null) source.perShare = over(source.anew, ofDecimal(takenBy(event)));
      source.anew = null;
      return;
    }
    if (kind === "fact") this.#followFact(source, event);
    else if (correctionOf(event) !== null) this.#correct(source, event);
    else if (kind === "edited") {
      if (forfeitsByEdit(event)) this.#forfeit(source, event, takenBy(event));
    } else if (isPassedOn(event) && imported.hasEffect) this.#passOnImported(source, event);
    else if (isPassedOn(event)) this.#passOn(source, event, state);
    else if (isConversion || how === "transfer" || how === "exercise") {
      if (parcels.moved !== null) this.#move(source, event, { moved: parcels.moved, state });
    } else if (entry.quantity !== null) this.#forfeit(source, event, takenBy(event));
  }

  #passOn(source: Followed, event: LedgerEvent, state: LedgerState): void {
    const { entry, sequence } = event;
    const held = this.#state.security(entry.securityId ?? "");
    const quantity = min(held.quantity, shown(this.#issues.asIssued(source.grantId, takenBy(event))));
    this.#put(held, held.quantity - quantity);
    const { newSecurityId } = event.said;
    const made = newSecurityId === null ? undefined : state.securities.get(newSecurityId);
    if (made) {
      this.#put(made, quantity);
      this.#followNew(made.id, { ...source, lapsed: [], resumed: [], accelerated: [] });
    }
    this.#book.follow(readEntry({ ...entry, quantity: formatDecimal(quantity) }, sequence), this.#state);
  }

  /**
   * A package ends a security where a part of it goes: the unvested shares go on vesting in what it names as result and
   * balance, by the days that they had. What is cancelled of them is forfeited; where all is, and a balance holds what
   * is left nevertheless, the package issues the same anew, as after a split.
   */
  #passOnImported(source: Followed, event: LedgerEvent): void {
    const { entry, said } = event;
    const { securityId, effectiveDate: date } = entry;
    const { balanceSecurityId, resultingSecurityIds } = said;
    const [result = null] = resultingSecurityIds;
    const [taken, moved] = [takenBy(event), parseDecimal(entry.quantity ?? "0")];
    const isAnew = result === null && moved >= taken;
    const asGranted = (shares: Decimal) => times(ofDecimal(shares), source.perShare);
    if (result === null && !isAnew) this.#lapse(source, event, shown(asGranted(moved)));
    const all = lists.countOf(this.#unvested(securityId ?? "", date));
    if (result !== null) {
      const part = balanceSecurityId === null ? all : partOf(all, { taken: moved, all: taken });
      this.#hand(source, event, result, part);
    }
    if (balanceSecurityId === null) return;
    const rest = lists.countOf(this.#unvested(securityId ?? "", date));
    const anew = isAnew ? asGranted(taken) : null;
    const isOtherwiseCounted = source.isOtherwiseCounted || isAnew;
    this.#hand({ ...source, anew, isOtherwiseCounted }, event, balanceSecurityId, rest);
  }

  /** Forfeits so many unvested shares as granted, the last ones, or all that there are. */
  #lapse(source: Followed, event: LedgerEvent, shares: Decimal): void {
    const { securityId, effectiveDate: date, type } = event.entry;
    const own = this.#unvested(securityId ?? "", date);
    const quantity = min(lists.countOf(own), shares);
    if (quantity === ZERO) return;
    source.lapsed.push({ date, parcels: lists.takeLast(own, quantity, null).taken });
    this.#take(event, { type, quantity, date, vestedQuantity: "0" });
  }

  /** Has so many of the unvested shares of a security vest in another one from now on. */
  #hand(source: Followed, event: LedgerEvent, newSecurityId: string, quantity: Decimal): void {
    const { securityId, effectiveDate: date } = event.entry;
    const held = this.#state.security(securityId ?? "");
    const own = this.#unvested(held.id, date);
    const parcels = lists.divide(own, quantity, date, null).moved;
    this.#put(held, held.quantity - quantity);
    this.#put({ ...held, id: newSecurityId }, quantity);
    this.#followNew(newSecurityId, { ...source, lapsed: [], resumed: [], accelerated: [] });
    const told = { rules: RULES, newSecurityId, parcels: { moved: tellParcels(parcels) } };
    this.#tell(event, { type: "STOCK_TRANSFER", quantity, date, metadata: told });
  }

  #followFact(source: Followed, event: LedgerEvent): void {
    const { how, entry, sequence, said } = event;
    const { conditionId, milestoneId, vestingStopped } = said;
    const { quantity, effectiveDate: date } = entry;
    if (vestingStopped !== null) {
      this.#followStop(source, event, vestingStopped);
      return;
    }
    const isAcceleration = quantity !== null && milestoneId === null && conditionId === null;
    if (how === "start" || !isAcceleration) {
      this.#book.follow(event, this.#state);
      return;
    }
    const count = this.#asGranted(source, entry, parseDecimal(quantity));
    const before = this.#unvested(entry.securityId ?? "", date);
    this.#book.follow(readEntry({ ...entry, quantity: formatDecimal(count) }, sequence), this.#state);
    const parcels = without(before, this.#unvested(entry.securityId ?? "", date));
    source.accelerated.push({ date, parcels });
  }

  /** What stops is forfeited, by the rule: the parcels that the entry tells are in the ledger's shares. */
  #followStop(source: Followed, { entry, sequence }: LedgerEvent, isStop: boolean): void {
    const { securityId, effectiveDate: date, metadata } = entry;
    const told = { ...entry, metadata: { ...metadata, parcels: {} } };
    const before = this.#unvested(securityId ?? "", date).filter(({ stopped }) => stopped === undefined);
    if (isStop) source.lapsed.push({ date, parcels: before });
    this.#book.follow(readEntry(told, sequence), this.#state);
    if (!isStop) source.resumed.push({ date, parcels: this.#unvested(securityId ?? "", date) });
  }

  /** The unvested shares that a security has as granted, on a day. */
  #unvested(id: string, date: CalendarDate): Parcels {
    return unvestedIn(this.#book, id, date);
  }

  /** As much of the unvested shares as granted as `taken` was of the ledger's, which it has been taken off. */
  #asGranted(source: Followed, { securityId, effectiveDate }: EntryDraft, taken: Decimal): Decimal {
    const all = lists.countOf(this.#unvested(securityId ?? "", effectiveDate));
    if (!source.isOtherwiseCounted) return min(all, taken);
    return partOf(all, { taken, all: taken + this.#leftUnvested(securityId ?? "", effectiveDate) });
  }

  /** What the ledger has unvested of a security, after the entry. */
  #leftUnvested(id: string, date: CalendarDate): Decimal {
    return this.#ledgers === null ? ZERO : lists.countOf(unvestedIn(this.#ledgers, id, date));
  }

  /** The unvested part of what goes to another security goes on vesting there. */
  #move(
    source: Followed,
    event: LedgerEvent,
    { moved, state }: { readonly moved: Parcels; readonly state: LedgerState },
  ): void {
    const { securityId, effectiveDate } = event.entry;
    const { newSecurityId } = event.said;
    const unvested = lists.splitAt(moved, effectiveDate)[1];
    if (unvested.length === 0 || securityId === null || newSecurityId === null) return;
    const parcels = source.isOtherwiseCounted ? this.#sameOf(source, event, unvested) : unvested;
    const quantity = lists.countOf(parcels);
    const held = this.#state.security(securityId);
    const made = state.securities.get(newSecurityId) ?? held;
    this.#put(held, held.quantity - quantity);
    this.#put({ ...made, id: newSecurityId }, quantity);
    this.#followNew(newSecurityId, {
      ...source,
      isOtherwiseCounted: source.isOtherwiseCounted || event.how === "cancellation",
      lapsed: [],
      resumed: [],
      accelerated: [],
    });
    const told = { rules: RULES, newSecurityId, parcels: { moved: tellParcels(parcels) } };
    this.#tell(event, { type: "STOCK_TRANSFER", quantity, date: effectiveDate, metadata: told });
  }

  /** Parcels of a security as granted: an early exercise takes the first of them, all else a part of each. */
  #sameOf(source: Followed, { how, entry }: LedgerEvent, unvested: Parcels): Parcels {
    const own = this.#unvested(entry.securityId ?? "", entry.effectiveDate);
    const quantity = this.#asGranted(source, entry, lists.countOf(unvested));
    if (how === "exercise") return lists.takeFirst(own, quantity).taken;
    return lists.divide(own, quantity, entry.effectiveDate, null).moved;
  }

  /** Only what had not vested is forfeited: the last of it. */
  #forfeit(source: Followed, event: LedgerEvent, taken: Decimal): void {
    const { vestedQuantity } = event.said;
    const unvested = taken - (vestedQuantity === null ? ZERO : parseDecimal(vestedQuantity));
    this.#lapse(source, event, this.#asGranted(source, event.entry, max(ZERO, unvested)));
  }

  /** What is corrected was so from the grant on; of what a grant's shares went to, only what had not vested there. */
  #correct(source: Followed, event: LedgerEvent): void {
    const { entry } = event;
    const correction = correctionOf(event);
    if (correction === null || entry.securityId === null || correction === ZERO) return;
    const held = this.#state.security(entry.securityId);
    const isGrant = held.id === source.grantId;
    const type = "STOCK_RETRACTION";
    if (correction > ZERO) {
      if (!isGrant) return;
      this.#put(held, held.quantity + shown(this.#issues.asIssued(held.id, correction)));
      this.#book.follow(event, this.#state);
    } else if (isGrant) {
      const quantity = min(held.quantity, shown(this.#issues.asIssued(held.id, -correction)));
      this.#take(event, { type, quantity, date: source.grantDate, vestedQuantity: null });
    } else {
      const quantity = this.#asGranted(source, entry, -correction);
      this.#take(event, { type, quantity, date: entry.effectiveDate, vestedQuantity: "0" });
    }
  }

  #take(
    event: LedgerEvent,
    { vestedQuantity, ...taken }: Omit<Told, "metadata"> & { readonly vestedQuantity: string | null },
  ): void {
    if (taken.quantity === ZERO) return;
    const held = this.#state.security(event.entry.securityId ?? "");
    this.#put(held, held.quantity - taken.quantity);
    const metadata = vestedQuantity === null ? { rules: RULES } : { rules: RULES, vestedQuantity };
    this.#tell(event, { ...taken, metadata });
  }

  #tell({ entry, sequence }: LedgerEvent, { type, quantity, date, metadata }: Told): void {
    const told = { ...entry, type, quantity: formatDecimal(quantity), effectiveDate: date, metadata };
    this.#book.follow(readEntry(told, sequence), this.#state);
  }
}

// The facts of a large split, read in few columns and summed: whole rows of a hundred thousand securities take a
// second. They are read on a snapshot in slices, before the commit, and corrected there by what was written since.

import type { CalendarDate } from "../../kernel/date.ts";
import { LARGEST, parseDecimal } from "../../kernel/numbers/decimal.ts";
import type { SplitRatio } from "../../kernel/numbers/split-figures.ts";
import { findLogHead } from "../../storage/database/log/audit.ts";
import { isSplitting } from "../../storage/database/split-rows.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { OpenSums, type SumPlace } from "../rules/open-awards.ts";
import { findHead, listPlansOf } from "../store.ts";
import type { NarrowRow, OfClass } from "./gather-store.ts";
import * as store from "./gather-store.ts";
import { SplitSums } from "./split-sums.ts";
import { hasOpenShares } from "./stock-split.ts";

/** Rows between two places at which reading may pause. */
const SLICE = 250;
/** More rows of the log than these are not caught up with in a commit. */
const CAUGHT_UP_MAX = 800;

/** The securities of a split, in sums, as they were at a place of the ledger and of the log. */
export interface GatheredSplit {
  readonly equityPlanIds: readonly string[];
  /** Those that belong to the class by their plan. */
  readonly inferredSecurityIds: readonly string[];
  readonly sums: SplitSums;
  /** By how much the sums of open options and warrants grow. */
  readonly open: readonly (readonly [place: SumPlace, difference: bigint])[];
  /** The securities of which some shares have stopped vesting. */
  readonly stopped: readonly string[];
  /** The latest day of the entries on the class's securities; null without an entry. */
  readonly latest: CalendarDate | null;
  /** Whether another split was under way: its rows, which the log has later, count as they were decided already. */
  readonly isBesideSplit: boolean;
  readonly ledger: number;
  readonly log: number;
}

/** Sums that grow. */
class Gathering {
  readonly sums: SplitSums;
  readonly open: OpenSums;
  readonly stopped: Set<string>;
  readonly #stockClassId: string;
  readonly #plans: ReadonlySet<string>;

  constructor(
    { orgId, stockClassId }: OfClass,
    ratio: SplitRatio,
    equityPlanIds: readonly string[],
    from?: GatheredSplit,
  ) {
    this.#stockClassId = stockClassId;
    this.#plans = new Set(equityPlanIds);
    this.sums = new SplitSums(ratio, from?.sums);
    this.open = OpenSums.of(orgId, from?.open ?? []);
    this.stopped = new Set(from?.stopped);
  }

  /** Whether a security belongs to the class by its plan. */
  isInferred({ stockClassId, equityPlanId }: NarrowRow): boolean {
    return stockClassId === null && equityPlanId !== null && this.#plans.has(equityPlanId);
  }

  /** Adds a security's shares if the split multiplies them, or takes them away again. */
  addShares(row: NarrowRow, by: 1 | -1): void {
    const { id, type, status, stockClassId, equityPlanId, pricePerShare, exercisePrice, vestingStoppedOn } = row;
    const quantity = parseDecimal(row.quantity);
    if (!hasOpenShares({ type, status, quantity })) return;
    if (stockClassId !== this.#stockClassId && !this.isInferred(row)) return;
    const security = { type, status, quantity, stockClassId, equityPlanId, pricePerShare, exercisePrice };
    const after = { ...security, quantity: this.sums.add(security, by) };
    this.open.add(by === 1 ? after : security);
    this.open.take(by === 1 ? security : after);
    if (by === 1 && vestingStoppedOn !== null) this.stopped.add(id);
    else this.stopped.delete(id);
  }

  /**
   * Has a security, as it was (null: not there) and is now, count as it is now. False if it may be concerned otherwise
   * than by its shares: it belongs to the class by its plan, or came to the class, or left it.
   */
  replace(was: NarrowRow | null, now: NarrowRow): boolean {
    if (this.isInferred(now) || (was !== null && this.isInferred(was))) return false;
    const isOfClass = (row: NarrowRow) => row.stockClassId === this.#stockClassId;
    if (was !== null && isOfClass(was) !== isOfClass(now)) return false;
    if (was !== null) {
      this.addShares(was, -1);
      this.addCharge(was, -1);
    }
    this.addShares(now, 1);
    this.addCharge(now, 1);
    return true;
  }

  /** The same of its charge. */
  addCharge({ equityPlanId, planCharge }: NarrowRow, by: 1 | -1): void {
    if (planCharge === null || !this.#plans.has(equityPlanId ?? "")) return;
    this.sums.addCharge(parseDecimal(planCharge), by);
  }
}

/** Whether a split of the class concerns more securities than `count`, or may. */
export function isLargeSplit(db: Reader, { orgId, stockClassId }: OfClass, count: number): boolean {
  if (store.hasMoreOfClass(db, { orgId, stockClassId, count })) return true;
  const plans = listPlansOf(db, { orgId, stockClassId });
  return plans.some(({ id: equityPlanId }) => store.hasMoreUnderPlan(db, { orgId, equityPlanId, count }));
}

/** Sums up the securities of a split; pauses now and then. The caller holds a snapshot until the end. */
export function* gathering(db: Reader, of: OfClass, ratio: SplitRatio): Generator<void, GatheredSplit> {
  const { orgId } = of;
  const ledger = findHead(db, orgId).sequence;
  const log = findLogHead(db, orgId).sequence;
  const equityPlanIds = listPlansOf(db, of).map(({ id }) => id);
  const found = new Gathering(of, ratio, equityPlanIds);
  let read = 0;
  for (const row of store.iterateOpenOfClass(db, of)) {
    found.addShares(row, 1);
    if (++read % SLICE === 0) yield;
  }
  const [charged, uncharged]: [string[], string[]] = [[], []];
  for (const equityPlanId of equityPlanIds) {
    for (const row of store.iterateUnderPlan(db, { orgId, equityPlanId })) {
      found.addCharge(row, 1);
      if (found.isInferred(row)) {
        found.addShares(row, 1);
        if (row.planCharge !== null) charged.push(row.id);
        else if (row.status === "ACTIVE") uncharged.push(row.id);
      }
      if (++read % SLICE === 0) yield;
    }
  }
  let latest: CalendarDate | null = null;
  for (let after = 0; after < ledger; after += SLICE) {
    latest = later(latest, store.latestBetween(db, { ...of, after, upTo: Math.min(ledger, after + SLICE) }));
    yield;
  }
  const { sums, open, stopped } = found;
  const inferredSecurityIds = [...charged, ...uncharged];
  const facts = { equityPlanIds, inferredSecurityIds, sums, open: [...open.all()], stopped: [...stopped] };
  return { ...facts, latest, isBesideSplit: isSplitting(db, { orgId }), ledger, log };
}

/** The same without a pause. */
export function gatherSplit(db: Reader, of: OfClass, ratio: SplitRatio): GatheredSplit {
  return toEnd(gathering(db, of, ratio));
}

function toEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function later(one: CalendarDate | null, other: CalendarDate | null): CalendarDate | null {
  return one === null || (other !== null && other > one) ? other : one;
}

/**
 * The sums as they are now, by those of earlier and by what the log says was changed since; null if that is more than
 * `most` rows of the log, or if they can only be found anew: another split was under way, or came since. Pauses now and
 * then; the caller holds a snapshot until the end.
 */
export function* catchingUp(
  db: Reader,
  of: OfClass,
  ratio: SplitRatio,
  { was, most }: { readonly was: GatheredSplit; readonly most: number },
): Generator<void, GatheredSplit | null> {
  const { orgId } = of;
  if (was.isBesideSplit) return null;
  const [ledger, log] = [findHead(db, orgId).sequence, findLogHead(db, orgId).sequence];
  if (ledger === was.ledger && log === was.log) return was;
  if (log - was.log > most || ledger - was.ledger > most) return null;
  // The largest figure may be of a security that has gone.
  if (was.sums.largestCount > LARGEST || was.sums.largestPrice > LARGEST) return null;
  if (store.hasSplitSince(db, { orgId, after: was.ledger }) || !hasSamePlans(db, of, was)) return null;
  const changed: store.ChangedSecurities = new Map();
  for (let after = was.log; after < log; after += SLICE) {
    store.addChanged(db, { orgId, after, upTo: after + SLICE }, changed);
    yield;
  }
  const found = new Gathering(of, ratio, was.equityPlanIds, was);
  let read = 0;
  for (const [id, before] of changed) {
    const now = store.findNarrow(db, { orgId, id });
    if (now === null || !found.replace(before === null ? null : { ...now, ...before }, now)) return null;
    if (++read % SLICE === 0) yield;
  }
  let { latest } = was;
  for (let after = was.ledger; after < ledger; after += SLICE) {
    latest = later(latest, store.latestBetween(db, { ...of, after, upTo: Math.min(ledger, after + SLICE) }));
    yield;
  }
  const { sums, open, stopped } = found;
  return { ...was, sums, open: [...open.all()], stopped: [...stopped], latest, ledger, log };
}

/** The same without a pause, for a commit. */
export function caughtUp(db: Reader, of: OfClass, ratio: SplitRatio, was: GatheredSplit): GatheredSplit | null {
  return toEnd(catchingUp(db, of, ratio, { was, most: CAUGHT_UP_MAX }));
}

function hasSamePlans(db: Reader, of: OfClass, { equityPlanIds }: GatheredSplit): boolean {
  const plans = listPlansOf(db, of);
  return plans.length === equityPlanIds.length && plans.every(({ id }, place) => id === equityPlanIds[place]);
}

// Limits on future days: with entries dated ahead, the issued or available figures of today and of those days differ
// from the record, so a limit kept by the record may be broken then. Such entries are few: only their securities are
// replayed, and every other one counts with its row's figures on each of those days.

import type { Call } from "../../kernel/call.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { listEvery } from "../../storage/database/records.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { type LedgerEvent, readEntry } from "../replay/event.ts";
import { FamilyState } from "../replay/family-state.ts";
import { initialState, toDraft } from "../replay/replay.ts";
import { listAdjustments, listAhead, listEntriesOn, listSplits } from "../replay/replay-store.ts";
import { LedgerState } from "../replay/state.ts";
import { Story } from "../replay/story.ts";
import { iterateEntries } from "../store.ts";
import { listFamily } from "../vested/vesting-store.ts";
import { brokenLimits } from "./limits.ts";

/** A write: the cap table's slice before and after it, and its entries as stored. */
interface Written {
  readonly before: LedgerState;
  readonly after: LedgerState;
  readonly entries: readonly Row<"transactions">[];
}

/** Throws the limit's `409` if a write would break it, or break it further, on a day from today on. */
export function refuseAhead(tx: Tx, call: Call, written: Written): void {
  if (!isWorse(written)) return;
  const first = written.entries[0]?.sequence ?? 0;
  const ahead = listAhead(tx, { orgId: call.orgId, today: call.today }).filter(({ sequence }) => sequence < first);
  if (ahead.length === 0) return;
  const later = written.entries.filter(({ effectiveDate }) => effectiveDate > call.today);
  const days = new Set([call.today, ...[...ahead, ...later].map(({ effectiveDate }) => effectiveDate)]);
  const views = new AheadViews(tx, call.orgId, written, [...ahead, ...later]);
  for (const day of [...days].sort()) {
    const [broken] = brokenLimits(views.on(day, first - 1), views.on(day, Number.POSITIVE_INFINITY), day);
    if (broken) throw broken;
  }
}

/**
 * Whether a write issues more, or lowers the authorized or available shares: nothing else can break a limit, except the
 * correction of a closed security, which may be open until a future day.
 */
function isWorse({ before, after, entries }: Written): boolean {
  const isClosed = (id: string | null) => (before.securities.get(id ?? "")?.status ?? "ACTIVE") !== "ACTIVE";
  if (entries.some(({ securityId }) => isClosed(securityId))) return true;
  for (const [id, now] of after.classes) {
    const was = before.classes.get(id);
    if (now !== was && (!was || now.issued > was.issued || isLess(now.authorized, was.authorized))) return true;
  }
  for (const [id, now] of after.plans) {
    const was = before.plans.get(id);
    if (now !== was && (!was || now.available < was.available)) return true;
  }
  return false;
}

/** Null means no limit. */
function isLess(now: bigint | null, was: bigint | null): boolean {
  return now !== null && (was === null || now < was);
}

/** The classes and plans of a write on future days. */
class AheadViews {
  readonly #written: Written;
  /** All entries on the securities of entries dated ahead, and of the write; the whole ledger if a split is ahead. */
  readonly #entries: readonly LedgerEvent[];
  /** Adjustments and splits, which set the figures of classes and plans. */
  readonly #settings: readonly LedgerEvent[];
  readonly #initial: LedgerState;
  readonly #isWhole: boolean;

  constructor(tx: Tx, orgId: string, written: Written, ahead: readonly Row<"transactions">[]) {
    this.#written = written;
    this.#isWhole = ahead.some(({ type }) => type === "STOCK_SPLIT");
    const adjustments = listAdjustments(tx, { orgId });
    const splits = listSplits(tx, orgId);
    this.#settings = inOrder([...adjustments, ...splits]);
    this.#initial = initialState(
      listEvery(tx, "share_classes", orgId),
      listEvery(tx, "equity_plans", orgId),
      adjustments,
    );
    this.#entries = this.#isWhole
      ? inOrder(iterateEntries(tx, orgId))
      : inOrder([...entriesOfFamilies(tx, orgId, [...ahead, ...written.entries]), ...splits]);
  }

  /** The figures on a day, by the entries up to a place in the ledger. */
  on(day: CalendarDate, sequence: number): LedgerState {
    const isRecorded = (event: LedgerEvent) => event.sequence <= sequence;
    const counts = (event: LedgerEvent) => isRecorded(event) && event.day <= day;
    if (this.#isWhole) return replayed(this.#initial.copy(), this.#entries.filter(counts));
    const [then, all] = [this.#contributions(counts), this.#contributions(isRecorded)];
    const { before, after } = this.#written;
    const stands = sequence === Number.POSITIVE_INFINITY ? after : before;
    const view = new LedgerState();
    for (const [id, stockClass] of stands.classes) {
      const issued = stockClass.issued + then.moved.stockClass(id).issued - all.moved.stockClass(id).issued;
      view.classes.set(id, { ...then.settings.stockClass(id), issued });
    }
    for (const [id, plan] of stands.plans) {
      const moved = then.moved.plan(id).available - all.moved.plan(id).available;
      const set = then.settings.plan(id).available - all.settings.plan(id).available;
      view.plans.set(id, { ...plan, available: plan.available + moved + set });
    }
    return view;
  }

  /** The totals by counting entries: those on securities, summed from zero, and those on figures. */
  #contributions(counts: (event: LedgerEvent) => boolean) {
    return {
      moved: replayed(new FamilyState(), this.#entries.filter(counts)),
      settings: replayed(this.#initial.copy(), this.#settings.filter(counts)),
    };
  }
}

function replayed(state: LedgerState, events: readonly LedgerEvent[]): LedgerState {
  const story = new Story(state);
  for (const event of events) story.take(event);
  return state;
}

/** The entries on all securities of some entries' families. */
function entriesOfFamilies(tx: Tx, orgId: string, entries: readonly Row<"transactions">[]) {
  const touched = new Set(entries.flatMap(({ securityId }) => (securityId === null ? [] : [securityId])));
  const family = new Set([...touched].flatMap((id) => listFamily(tx, orgId, id).map((row) => row.id)));
  return [...family].flatMap((id) => listEntriesOn(tx, orgId, id));
}

function inOrder(rows: Iterable<Row<"transactions">>): readonly LedgerEvent[] {
  const events = [...rows].flatMap((row) => {
    const draft = row.recordOnly === 1 ? null : toDraft(row);
    return draft === null ? [] : [readEntry(draft, row.sequence)];
  });
  return events.sort((a, b) => a.sequence - b.sequence);
}

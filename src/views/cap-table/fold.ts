// Folded view of today: a replay that stays in memory and continues with the newest entries. Every change that a view
// shows is an entry of the ledger or a row of the log, so the rows since then decide whether the fold is still valid;
// if one of them changes the basis of earlier entries, the replay starts anew.

import type { CalendarDate } from "../../kernel/date.ts";
import { END_OF_TIME } from "../../kernel/runtime.ts";
import { Counting } from "../../ledger/replay/counting.ts";
import type { LedgerEvent } from "../../ledger/replay/event.ts";
import { initialState } from "../../ledger/replay/replay.ts";
import { iterateKnownEntries, listAdjustments, listTermsEntries } from "../../ledger/replay/replay-store.ts";
import type { LedgerState } from "../../ledger/replay/state.ts";
import { newestSecuritySeq } from "../../ledger/splits/split-store.ts";
import { findHead } from "../../ledger/store.ts";
import type { VestingSubject } from "../../ledger/vested/vesting-account.ts";
import { VestingBook } from "../../ledger/vested/vesting-book.ts";
import { loadVestingSubjects } from "../../ledger/vested/vesting-view-store.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { Basis } from "./basis.ts";
import { HoldingsBook } from "./holding.ts";
import { Past } from "./past-table.ts";
import {
  beforeFirstEntry,
  conversionsIn,
  type Moment,
  type Names,
  readNames,
  readView,
  type Shown,
  termsAt,
  unvestedIn,
  View,
} from "./view.ts";

/** One organization's ledger as of a day, as far as it was folded. */
export class Fold {
  readonly #orgId: string;
  readonly #asOf: CalendarDate;
  readonly #state: LedgerState;
  readonly #book: VestingBook;
  readonly #counting: Counting;
  readonly #subjects = new Map<string, VestingSubject>();
  /** What each holder has; kept up with what was touched since. */
  readonly #holdings = new HoldingsBook();
  readonly #convertibles = new Set<string>();
  /** The securities that entries touched since it was shown. */
  readonly #touched = new Set<string>();
  readonly #basis: Basis;
  #lastSeq = 0;

  /** Begins before the first entry. */
  constructor(db: Reader, orgId: string, asOf: CalendarDate) {
    this.#orgId = orgId;
    this.#asOf = asOf;
    this.#basis = new Basis(orgId);
    this.#state = beforeFirstEntry(db, orgId, readNames(db, orgId));
    this.#book = new VestingBook((id) => this.#subjects.get(id) ?? null);
    const follow = (event: LedgerEvent) => this.#touch(event);
    this.#counting = new Counting(this.#state, asOf, this.#book, { follow, skip: follow });
  }

  /** Whether it can go on to what the database holds. */
  holds(db: Reader): boolean {
    return this.#basis.holds(db);
  }

  /** Goes on to the ledger's head, and shows it. The caller holds a snapshot. */
  view(db: Reader): View {
    const [orgId, asOf] = [this.#orgId, this.#asOf];
    const names = readNames(db, orgId);
    this.#takeRecords(db, names);
    const known = { orgId, knownAt: END_OF_TIME, asOf, after: this.#basis.sequence };
    for (const row of iterateKnownEntries(db, known)) this.#counting.take(row);
    const moment: Moment = { asOf, knownAt: END_OF_TIME };
    const terms = termsAt(listTermsEntries(db, { orgId }), moment);
    this.#holdings.convertBy(conversionsIn(names.classes, this.#state, terms));
    this.#keepUp();
    this.#basis.move(db);
    return new View(moment, this.#state, this.#counting, names, {
      book: this.#book,
      terms,
      held: { holdings: this.#holdings, convertibles: this.#convertibles },
    });
  }

  /** Takes up classes and plans, and what vesting needs of securities, that were made since. */
  #takeRecords(db: Reader, { classes, plans }: Names): void {
    const known = { asOf: this.#asOf, at: END_OF_TIME, sequence: Number.MAX_SAFE_INTEGER };
    const made = loadVestingSubjects(db, this.#orgId, known, { after: this.#lastSeq });
    for (const [id, subject] of made) this.#subjects.set(id, subject);
    this.#lastSeq = newestSecuritySeq(db, this.#orgId);
    const isNew = (have: ReadonlyMap<string, unknown>) => (row: { readonly id: string }) => !have.has(row.id);
    const [newClasses, newPlans] = [classes.filter(isNew(this.#state.classes)), plans.filter(isNew(this.#state.plans))];
    if (newClasses.length + newPlans.length === 0) return;
    const initial = initialState(newClasses, newPlans, listAdjustments(db, { orgId: this.#orgId }));
    for (const [id, stockClass] of initial.classes) this.#state.classes.set(id, stockClass);
    for (const [id, plan] of initial.plans) this.#state.plans.set(id, plan);
  }

  /** What an entry says of vesting changes no security, and yet what has vested of it. */
  #touch({ kind, entry: { securityId } }: LedgerEvent): void {
    const { securities, before } = this.#state;
    if (securityId !== null && securities.has(securityId)) this.#touched.add(securityId);
    // A split may concern the vesting of any security.
    for (const id of (kind === "split" ? securities : before.securities).keys()) this.#touched.add(id);
  }

  #keepUp(): void {
    for (const id of this.#touched) {
      const security = this.#state.security(id);
      if (security.type === "CONVERTIBLE") this.#convertibles.add(id);
      this.#holdings.put(security, (open) => unvestedIn(this.#book, open, this.#asOf));
    }
    this.#touched.clear();
  }
}

/** Fewer entries are folded anew as quickly. */
const KEPT_FROM_ENTRIES = 1000;

/** What is kept of one ledger. */
interface Kept {
  readonly orgId: string;
  /** Its view of today. */
  readonly now: { readonly today: CalendarDate; readonly fold: Fold } | null;
  readonly past: Past | null;
}

/** What a connection keeps: one ledger of a hundred thousand entries takes some hundred megabytes. */
const kept = new WeakMap<Reader, Kept>();

/** The view of today by what is known now. The caller holds a snapshot. */
export function viewOfToday(db: Reader, orgId: string, today: CalendarDate, keptFrom = KEPT_FROM_ENTRIES): View {
  const known = kept.get(db);
  // Where it fails on its way it is not kept, and two are never there at once.
  kept.delete(db);
  const own = known?.orgId === orgId ? known : null;
  const goesOn = own?.now?.today === today && own.now.fold.holds(db);
  const fold = goesOn ? own.now.fold : new Fold(db, orgId, today);
  const view = fold.view(db);
  const isLong = findHead(db, orgId).sequence >= keptFrom;
  if (isLong) kept.set(db, { orgId, now: { today, fold }, past: own?.past ?? null });
  return view;
}

/** The view of a moment: today's goes on from what was folded before. The caller holds a snapshot. */
export function viewOf(db: Reader, orgId: string, moment: Moment, today: CalendarDate): View {
  const isOfNow = moment.knownAt === END_OF_TIME && moment.asOf === today;
  return isOfNow ? viewOfToday(db, orgId, today) : readView(db, orgId, moment);
}

/**
 * What is shown of a moment: today's goes on, another day's by what is known now is looked up in the past that is kept,
 * and what was known before is replayed. The caller holds a snapshot.
 */
export function shownAt(
  db: Reader,
  orgId: string,
  moment: Moment,
  { today, keptFrom = KEPT_FROM_ENTRIES }: { readonly today: CalendarDate; readonly keptFrom?: number },
): Shown {
  const isLookedUp = moment.knownAt === END_OF_TIME && moment.asOf !== today;
  if (!isLookedUp || findHead(db, orgId).sequence < keptFrom) return viewOf(db, orgId, moment, today);
  const known = kept.get(db);
  kept.delete(db);
  const own = known?.orgId === orgId ? known : null;
  const past = own?.past?.goOn(db) ? own.past : new Past(db, orgId);
  kept.set(db, { orgId, now: own?.now ?? null, past });
  return past.on(db, moment.asOf) ?? readView(db, orgId, moment);
}

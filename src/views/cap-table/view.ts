// The cap table at a moment: the ledger replayed from its first entry, and how what it holds then vests.

import type { CalendarDate } from "../../kernel/date.ts";
import { Relief } from "../../kernel/gc-hints.ts";
import { type Decimal, min, ZERO } from "../../kernel/numbers/decimal.ts";
import { END_OF_TIME, type Timestamp } from "../../kernel/runtime.ts";
import { listCorrectedPrices } from "../../ledger/replay/corrected-prices.ts";
import { type Counted, Counting } from "../../ledger/replay/counting.ts";
import { initialState, isIssuanceRow } from "../../ledger/replay/replay.ts";
import {
  iterateKnownEntries,
  lastKnownSequence,
  listAdjustments,
  listTermsEntries,
} from "../../ledger/replay/replay-store.ts";
import type { LedgerState } from "../../ledger/replay/state.ts";
import type { Listener } from "../../ledger/replay/story.ts";
import { type Conversions, conversionsOf, type TermsTold } from "../../ledger/rules/conversion.ts";
import type { SecurityState } from "../../ledger/types.ts";
import { type SecurityVesting, unvestedOn, type VestingSubject } from "../../ledger/vested/vesting-account.ts";
import { VestingBook } from "../../ledger/vested/vesting-book.ts";
import { loadVestingSubjects } from "../../ledger/vested/vesting-view-store.ts";
import { getOrganization } from "../../resources/organization/store.ts";
import { listEvery } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { collectHoldings, convertedOf, type Holdings, isOpen, type Line } from "./holding.ts";
import { listStakeholderNames } from "./store.ts";

/** Names for what the ledger knows by id, oldest first, deleted records included. */
export interface Names {
  readonly classes: readonly Row<"share_classes">[];
  readonly plans: readonly Row<"equity_plans">[];
  readonly stakeholders: readonly Pick<Row<"stakeholders">, "id" | "displayName" | "deletedAt">[];
  /** How votes of stock that votes as converted become whole. */
  readonly votesRounding: Row<"organizations">["votesRounding"];
}

/** The moment that a view shows: what counted on `asOf` by what was known at `knownAt`. */
export interface Moment {
  readonly asOf: CalendarDate;
  readonly knownAt: Timestamp;
}

/** What was followed besides the cap table itself. */
export interface Followed {
  /** How securities vest. */
  readonly book: VestingBook;
  /** What may tell terms of classes, and what of it counts. */
  readonly terms: TermsTold;
  /** What each holder has, and the convertibles ever made, where that was followed. */
  readonly held?: { readonly holdings: Holdings; readonly convertibles: ReadonlySet<string> };
}

/** What of a cap table is laid out. */
export interface Shown extends Pick<View, "moment" | "names" | "holdings" | "conversions"> {
  readonly state: Pick<LedgerState, "stockClass" | "plan" | "plans">;
  readonly counted: { readonly uses: Counted["uses"]; readonly named: Pick<Counted["named"], "has"> };
  readonly convertibles: readonly Pick<SecurityState, "id" | "stakeholderId" | "quantity">[];
}

/** The cap table at a moment. */
export class View {
  readonly #unvested = new Map<string, Decimal>();
  readonly #followed: Followed;
  readonly #relief = new Relief();
  #open: readonly SecurityState[] | null = null;
  #holdings: Holdings | null = null;
  #conversions: Conversions | null = null;

  constructor(
    readonly moment: Moment,
    readonly state: LedgerState,
    readonly counted: Counted,
    readonly names: Names,
    followed: Followed,
  ) {
    this.#followed = followed;
  }

  /** Open securities, in the order in which they came to be. */
  get open(): readonly SecurityState[] {
    this.#open ??= [...this.state.securities.values()].filter(isOpen);
    return this.#open;
  }

  /** Those of one holder, likewise: the others are passed over. */
  openOf(holderId: string): readonly SecurityState[] {
    const held: SecurityState[] = [];
    for (const security of this.state.securities.values()) {
      if (security.stakeholderId === holderId && isOpen(security)) held.push(security);
    }
    return held;
  }

  /** The open convertibles, likewise. */
  get convertibles(): readonly SecurityState[] {
    const made = this.#followed.held?.convertibles;
    if (!made) return this.open.filter(({ type }) => type === "CONVERTIBLE");
    return Array.from(made, (id) => this.state.security(id)).filter(isOpen);
  }

  /** What each holder has. */
  get holdings(): Holdings {
    const { held } = this.#followed;
    this.#holdings ??= held ? held.holdings : collectHoldings(this.open.map((security) => this.lineOf(security)));
    return this.#holdings;
  }

  /** How the classes of preferred stock convert then. */
  get conversions(): Conversions {
    this.#conversions ??= conversionsIn(this.names.classes, this.state, this.#followed.terms);
    return this.#conversions;
  }

  /** What an open security adds to its holder's figures. */
  lineOf(security: SecurityState): Line<SecurityState> & { readonly holder: string | null } {
    const converted = convertedOf(security, this.conversions);
    return { security, holder: security.stakeholderId, unvested: this.unvested(security), converted };
  }

  /** How a security vests by what counts; null for stock that has vested with its grant. */
  vestingOf(id: string): SecurityVesting | null {
    return this.#followed.book.of(id);
  }

  /** What of an open security has not vested by the day; a convertible does not vest. */
  unvested(security: SecurityState): Decimal {
    const known = this.#unvested.get(security.id);
    if (known !== undefined) return known;
    const vesting = vestingIn(this.#followed.book, security);
    if (vesting === null) return ZERO;
    const found = unvestedOf(security, vesting, this.moment.asOf);
    this.#relief.row();
    this.#unvested.set(security.id, found);
    return found;
  }
}

/** How the classes convert by the cap table's state. */
export function conversionsIn(classes: Names["classes"], state: LedgerState, terms: TermsTold): Conversions {
  return conversionsOf(classes, (id) => (state.classes.get(id)?.issued ?? ZERO) !== ZERO, terms);
}

/** The entries that tell terms, of which those count that a moment, and a place in the ledger, leave. */
export function termsAt(entries: TermsTold["entries"], { asOf, knownAt }: Moment, upTo?: number): TermsTold {
  const last = upTo ?? Number.MAX_SAFE_INTEGER;
  const counts: TermsTold["counts"] = ({ effectiveDate, createdAt, sequence }) =>
    effectiveDate <= asOf && createdAt <= knownAt && sequence <= last;
  return { entries, counts };
}

/** What of an open security has not vested by a day. */
export function unvestedIn(book: VestingBook, security: SecurityState, day: CalendarDate): Decimal {
  const vesting = vestingIn(book, security);
  return vesting === null ? ZERO : unvestedOf(security, vesting, day);
}

/** How an open security vests; null where nothing of it waits: a convertible does not vest. */
function vestingIn(book: VestingBook, { id, type }: SecurityState): SecurityVesting | null {
  return type === "CONVERTIBLE" ? null : book.of(id);
}

function unvestedOf({ quantity }: SecurityState, vesting: SecurityVesting, day: CalendarDate): Decimal {
  return min(quantity, unvestedOn(vesting, day));
}

/** How securities vest as a replay goes on, and what of that the ledger does not say. */
export interface VestingFollowed {
  readonly book: VestingBook;
  readonly subjectOf: (id: string) => VestingSubject | null;
}

/** A listener, called after `vesting`; it may read the cap table before the first entry. */
export interface Companion extends Listener {
  begin?(state: LedgerState, vesting: VestingFollowed): void;
}

/** Who follows the replay, and the place of the last entry that is looked at, where it is not the last that is known. */
export interface Replaying {
  readonly companions?: readonly Companion[];
  readonly upTo?: number | undefined;
}

/** The entries as far as a place. */
function* entriesUpTo<E extends { readonly sequence: number }>(entries: Iterable<E>, upTo: number): Generator<E> {
  for (const entry of entries) {
    if (entry.sequence > upTo) return;
    yield entry;
  }
}

/** Reads the names of an organization. */
export function readNames(db: Reader, orgId: string): Names {
  return {
    classes: listEvery(db, "share_classes", orgId),
    plans: listEvery(db, "equity_plans", orgId),
    stakeholders: listStakeholderNames(db, { orgId }),
    votesRounding: getOrganization(db, orgId).votesRounding,
  };
}

/** The instant that a moment is known at; undefined for all that is known. */
function knownOrNow({ knownAt }: Pick<Moment, "knownAt">): Timestamp | undefined {
  return knownAt === END_OF_TIME ? undefined : knownAt;
}

/** The cap table before the first entry, in which securities will be made at the prices that were corrected. */
export function beforeFirstEntry(
  db: Reader,
  orgId: string,
  { classes, plans }: Pick<Names, "classes" | "plans">,
  knownAt?: Timestamp,
) {
  return initialState(classes, plans, listAdjustments(db, { orgId }), listCorrectedPrices(db, orgId, knownAt));
}

/** Reads the cap table at a moment, by one replay of the whole ledger. The caller holds a snapshot. */
export function readView(db: Reader, orgId: string, moment: Moment, { companions = [], upTo }: Replaying = {}): View {
  const { asOf, knownAt } = moment;
  const names = readNames(db, orgId);
  const state = beforeFirstEntry(db, orgId, names, knownOrNow(moment));
  const known = { asOf, at: knownAt, sequence: upTo ?? lastKnownSequence(db, orgId, knownAt) };
  const subjects = loadVestingSubjects(db, orgId, known);
  const subjectOf = (id: string) => subjects.get(id) ?? null;
  const book = new VestingBook(subjectOf);
  const all = iterateKnownEntries(db, { orgId, knownAt, asOf, after: 0 });
  const entries = upTo === undefined ? all : entriesUpTo(all, upTo);
  for (const companion of companions) companion.begin?.(state, { book, subjectOf });
  const counted = new Counting(state, asOf, book, ...companions);
  for (const entry of entries) counted.take(entry);
  return new View(moment, state, counted, names, {
    book,
    terms: termsAt(listTermsEntries(db, { orgId }), moment, upTo),
  });
}

/** Some securities, and every entry that is on one of them or splits a class, in the order of recording. */
export interface Lineage {
  readonly ids: readonly string[];
  readonly entries: readonly Row<"transactions">[];
}

/**
 * The same of a few securities alone, all that they came of among them: quick however long the ledger is. Its classes
 * and plans hold nothing of others, and it names no holders.
 */
export function readLineage(
  db: Reader,
  orgId: string,
  { asOf, knownAt }: Moment,
  { ids, entries }: Lineage,
  { companions = [], upTo = Number.MAX_SAFE_INTEGER }: Replaying = {},
): View {
  const names = { classes: listEvery(db, "share_classes", orgId), plans: listEvery(db, "equity_plans", orgId) };
  const state = beforeFirstEntry(db, orgId, names, knownOrNow({ knownAt }));
  const known = { asOf, at: knownAt, sequence: Math.min(upTo, lastKnownSequence(db, orgId, knownAt)) };
  const subjects = loadVestingSubjects(db, orgId, known, { ids });
  const subjectOf = (id: string) => subjects.get(id) ?? null;
  const book = new VestingBook(subjectOf);
  // As the whole replay leaves them out (ledger/replay/replay-store.ts).
  const isLater = (entry: Row<"transactions">) => entry.effectiveDate > asOf && isIssuanceRow(entry);
  const counted = new Counting(state, asOf, book, ...companions);
  for (const companion of companions) companion.begin?.(state, { book, subjectOf });
  for (const entry of entries) {
    if (entry.createdAt <= knownAt && entry.sequence <= upTo && !isLater(entry)) counted.take(entry);
  }
  const { votesRounding } = getOrganization(db, orgId);
  const terms = termsAt(listTermsEntries(db, { orgId }), { asOf, knownAt }, upTo);
  return new View({ asOf, knownAt }, state, counted, { ...names, stakeholders: [], votesRounding }, { book, terms });
}

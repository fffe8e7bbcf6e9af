// Grants for the compliance reads: what was issued, in shares and prices as of the grant. Splits after it are undone,
// because a grant is judged by the figures of its day. The caller holds a snapshot.

import type { CalendarDate } from "../../../kernel/date.ts";
import { min, ZERO } from "../../../kernel/numbers/decimal.ts";
import { END_OF_TIME } from "../../../kernel/runtime.ts";
import { membersOf } from "../../../ledger/members.ts";
import { CountingClasses } from "../../../ledger/rules/required-authorization.ts";
import { type DatedSplit, listDatedSplits } from "../../../ledger/splits/dated-splits.ts";
import { sharesIn } from "../../../ledger/vested/vesting-account.ts";
import type { Parcels } from "../../../ledger/vesting/parcels.ts";
import { LAST_DAY, statusOf } from "../../../ledger/vesting/schedule.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";
import { readView, type View } from "../../cap-table/view.ts";
import { Budget } from "../budget.ts";
import {
  add,
  type Fraction,
  fraction,
  isPositive,
  NOTHING,
  ofDecimal,
  reduced,
  subtract,
  times,
  WHOLE,
} from "../fraction.ts";
import { listIssuances, listSecurityFacts, listValuations, type SecurityFacts } from "../read/store.ts";
import { Issues } from "./issues.ts";
import { MaterialEvents } from "./material-events.ts";
import { type Service, ServiceBook } from "./service-book.ts";

/** An option or stock as it was issued, and corrected since. */
export interface Grant {
  readonly securityId: string;
  readonly type: "STOCK" | "STOCK_OPTION";
  readonly stakeholderId: string | null;
  /** Its own, else its plan's first, else the oldest common one; null without one. */
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  readonly grantDate: CalendarDate;
  /** As granted. */
  readonly quantity: Fraction;
  readonly price: Fraction | null;
  readonly optionType: "ISO" | "NSO" | null;
  readonly valuationId: string | null;
  /** By how much splits after the grant, up to a day, have multiplied its shares. */
  growthUpTo(day: CalendarDate): Fraction;
}

/** What splits have multiplied a share by. */
function growthBy(splits: readonly DatedSplit[]): Fraction {
  return splits.reduce((growth, { numerator, denominator }) => times(growth, fraction(numerator, denominator)), WHOLE);
}

type Issuance = ReturnType<typeof listIssuances>[number];

/** What was followed besides the cap table itself. */
interface FollowedBesides {
  readonly facts: ReadonlyMap<string, SecurityFacts>;
  readonly issues: Issues;
  readonly service: ServiceBook;
}

/**
 * Every grant of an organization, as known now, with entries up to a day. What was retracted, deleted or corrected to
 * nothing never was one.
 */
export class Grants {
  readonly all: readonly Grant[];
  readonly valuations: readonly Row<"valuations">[];
  readonly #splits: readonly DatedSplit[];
  readonly #besides: FollowedBesides;
  readonly #counting: CountingClasses;

  constructor(
    db: Reader,
    orgId: string,
    readonly view: View,
    besides: FollowedBesides,
  ) {
    const { asOf } = view.moment;
    this.#besides = besides;
    const { classes, plans } = view.names;
    this.#counting = new CountingClasses(
      classes.filter(({ deletedAt }) => deletedAt === null),
      plans,
    );
    this.valuations = listValuations(db, { orgId });
    this.#splits = listDatedSplits(db, orgId).filter(({ date }) => date <= asOf);
    this.all = listIssuances(db, { orgId })
      .filter(({ effectiveDate }) => effectiveDate <= asOf)
      .flatMap((entry) => this.#grant(entry));
  }

  /** How a grant vests, where that was asked for; null for stock that has vested with its grant. */
  serviceOf({ securityId }: Grant): Service | null {
    return this.#besides.service.serviceOf(securityId);
  }

  /** The new money that came in, of all days. */
  materialEvents(db: Reader, orgId: string): MaterialEvents {
    const preferred = this.view.names.classes.filter(({ classType }) => classType === "PREFERRED");
    return new MaterialEvents(db, orgId, {
      facts: this.#besides.facts,
      preferred: new Set(preferred.map(({ id }) => id)),
    });
  }

  /** What was exercised of a grant before a day, in shares as granted. */
  exercisedBefore({ securityId }: Grant, day: CalendarDate): Fraction {
    const exercised = this.#besides.service.exercisesOf(securityId).filter(({ date }) => date < day);
    return exercised.reduce((sum, { quantity }) => add(sum, quantity), NOTHING);
  }

  /** Whether a security is there that was not deleted. */
  has(securityId: string): boolean {
    return this.view.state.securities.has(securityId) && this.#besides.facts.get(securityId)?.deletedAt === null;
  }

  /** What splits of a class between two days, the first excluded, have multiplied a share by. */
  growthBetween(stockClassId: string, after: CalendarDate, upTo: CalendarDate): Fraction {
    const splits = this.#splits.filter(
      (split) => split.stockClassId === stockClassId && split.date > after && split.date <= upTo,
    );
    return growthBy(splits);
  }

  #grant({ securityId, type, effectiveDate, sequence, metadata }: Issuance): readonly Grant[] {
    const told = membersOf({ metadata: metadata === null ? {} : JSON.parse(metadata) });
    // A direct edit corrects a grant and makes none.
    if (securityId === null || told.isConversion || told.isDirectEdit) return [];
    const { facts, issues } = this.#besides;
    const state = this.view.state.securities.get(securityId);
    const row = facts.get(securityId);
    // What a package issues as the result, or the balance, of another security was granted with the family's first.
    if (told.imported.resultOf !== null && facts.has(row?.originSecurityId ?? "")) return [];
    const quantity = issues.quantityOf(securityId);
    if (!state || !row || row.deletedAt !== null || quantity === null || !isPositive(quantity)) return [];
    const isOption = type === "STOCK_OPTION_ISSUANCE";
    const stockClassId = this.#counting.ofOption(state);
    const splits = this.#splits
      .filter((split) => split.sequence > sequence && split.date >= effectiveDate)
      .filter((split) => split.stockClassId === state.stockClassId || split.inferredSecurityIds.includes(securityId))
      .filter((split) => !(split.isStockOnly && isOption));
    const price = isOption ? "exercisePrice" : "pricePerShare";
    return [
      {
        securityId,
        type: isOption ? "STOCK_OPTION" : "STOCK",
        stakeholderId: state.stakeholderId,
        stockClassId,
        equityPlanId: state.equityPlanId,
        grantDate: effectiveDate,
        quantity: reduced(quantity),
        price: issues.priceOf(securityId, price, state[price]),
        optionType: row.optionType,
        valuationId: row.valuationId,
        growthUpTo: (day) => growthBy(splits.filter((split) => split.date <= day)),
      },
    ];
  }
}

/** Reads the grants as of a day, as known now; how those vest that `isVesting` asks for is followed too. */
export function readGrants(
  db: Reader,
  orgId: string,
  asOf: CalendarDate,
  isVesting: (facts: SecurityFacts) => boolean = () => false,
): Grants {
  const facts = new Map(listSecurityFacts(db, { orgId }).map((row) => [row.id, row]));
  const issues = new Issues();
  const service = new ServiceBook(issues, (id) => {
    const row = facts.get(id);
    return row !== undefined && isVesting(row);
  });
  const view = readView(db, orgId, { asOf, knownAt: END_OF_TIME }, { companions: [issues, service] });
  return new Grants(db, orgId, view, { facts, issues, service });
}

/** Shares of a grant that vest on a day; accelerated ones by themselves. In shares as granted. */
export interface Vesting {
  readonly date: CalendarDate;
  readonly quantity: Fraction;
  readonly isAccelerated: boolean;
  /** The day on which accelerated shares would have vested; null if they had no such day. */
  readonly instead: CalendarDate | null;
}

/**
 * How a grant vests, as what was taken of it unvested up to a day has left it; what had vested stays. Shares without a
 * day are left out. Days between which nothing was taken have one list, which is worked out once.
 */
export function vestingOf(
  grants: Grants,
  grant: Grant,
  budget = new Budget(),
): (day: CalendarDate) => readonly Vesting[] {
  const service = grants.serviceOf(grant);
  if (service === null) {
    const whole = [{ date: grant.grantDate, quantity: grant.quantity, isAccelerated: false, instead: null }];
    return () => whole;
  }
  const { lapsed, resumed } = service;
  const kept = eventsIn(service);
  const known = new Map<string, readonly Vesting[]>();
  return (day) => {
    const count = lapsed.findLastIndex(({ date }) => date <= day) + 1;
    const toCome = resumed.filter(({ date }) => date > day);
    const key = `${count} ${toCome.length}`;
    const found =
      known.get(key) ?? without([...kept, ...lapsed.slice(count).flatMap(datedIn)], toCome.flatMap(datedIn));
    if (!known.has(key)) budget.hold(found.length);
    known.set(key, found);
    return found;
  };
}

/** What vests without as many shares of the same days: what goes on after a return does not vest before it. */
function without(all: readonly Vesting[], taken: readonly Vesting[]): readonly Vesting[] {
  const left = new Map<CalendarDate, Fraction>();
  for (const { date, quantity } of taken) left.set(date, add(left.get(date) ?? NOTHING, quantity));
  return all.flatMap((each) => {
    const wanted = left.get(each.date);
    if (wanted === undefined || !isPositive(wanted) || each.isAccelerated) return [each];
    const isAll = !isPositive(subtract(each.quantity, wanted));
    left.set(each.date, isAll ? subtract(wanted, each.quantity) : NOTHING);
    return isAll ? [] : [{ ...each, quantity: subtract(each.quantity, wanted) }];
  });
}

/** Parcels that have a day. */
function datedIn({ parcels }: { readonly parcels: Parcels }): readonly Vesting[] {
  return parcels.flatMap(({ date, quantity }) =>
    date === null ? [] : [{ date, quantity: ofDecimal(quantity), isAccelerated: false, instead: null }],
  );
}

function eventsIn({ vestings, accelerated }: Service): readonly Vesting[] {
  const waiting = accelerated.flatMap(({ date, parcels }) =>
    parcels.map((parcel) => ({ on: date, instead: parcel.date, left: parcel.quantity })),
  );
  const events = vestings.flatMap((vesting) => statusOf(sharesIn(vesting), LAST_DAY).events);
  return events.flatMap(({ date, quantity }) => {
    let ordinary = quantity;
    const told = (count: bigint, isAccelerated: boolean, instead: CalendarDate | null): Vesting[] =>
      count === ZERO ? [] : [{ date, quantity: ofDecimal(count), isAccelerated, instead }];
    const early = waiting.flatMap((each) => {
      const part = each.on === date ? min(each.left, ordinary) : ZERO;
      ordinary -= part;
      each.left -= part;
      return told(part, true, each.instead);
    });
    return [...told(ordinary, false, null), ...early];
  });
}

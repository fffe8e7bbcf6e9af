// The compliance reads and the expense schedule: figures from grants by tax and securities law. They inform, and refuse
// nothing.

import { addDays, addYears, type CalendarDate } from "../../../kernel/date.ts";
import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { type Finding, notFound, refuse } from "../../../kernel/problem.ts";
import { END_OF_TIME } from "../../../kernel/runtime.ts";
import { LAST_DAY } from "../../../ledger/vesting/schedule.ts";
import { Valuations409A } from "../../../ledger/warnings/valuation-in-force.ts";
import { inSnapshot } from "../../../storage/database/snapshot.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { Budget } from "../budget.ts";
import { expenseSchedule, type Method, type Period } from "../expense.ts";
import { compare, type Fraction, NOTHING, ofDecimal, over, shown, times, WHOLE } from "../fraction.ts";
import { classesByKey } from "../model-company.ts";
import { readCompany } from "../read/read-company.ts";
import { countOf } from "../table-model.ts";
import { type Grant, type Grants, readGrants, type Vesting, vestingOf } from "./granted-shares.ts";
import { ISO_LIMIT, type IsoGrant, isoRows, type ValueFrom } from "./iso-limit.ts";
import { rule701, type Sale } from "./rule-701.ts";

const figure = (value: Fraction) => formatDecimal(shown(value));

/** The valuation's price of a share as granted. */
function valueAt(
  grants: Grants,
  valuation: { pricePerShare: string; stockClassId: string | null; effectiveDate: string },
  day: CalendarDate,
): Fraction {
  const price = ofDecimal(parseDecimal(valuation.pricePerShare));
  if (valuation.stockClassId === null) return price;
  return over(price, grants.growthBetween(valuation.stockClassId, valuation.effectiveDate, day));
}

/** By grant date, then as they were made. */
function byDate(grants: readonly Grant[]): readonly Grant[] {
  return [...grants].sort((a, b) => (a.grantDate < b.grantDate ? -1 : a.grantDate > b.grantDate ? 1 : 0));
}

/** What of each holder's ISO grants are incentive options, year by year. */
export function readIsoLimit(
  db: Reader,
  orgId: string,
  asOf: CalendarDate,
  { stakeholderId, isEarly }: { readonly stakeholderId: string | undefined; readonly isEarly: boolean },
) {
  const grants = inSnapshot(db, () => readGrants(db, orgId, asOf, ({ optionType }) => optionType === "ISO"));
  const { names } = grants.view;
  const asked = { grants, inForce: new Valuations409A(grants.valuations), isEarly, budget: new Budget() };
  const isos = byDate(grants.all.filter(({ optionType }) => optionType === "ISO"));
  const byHolder = Map.groupBy(isos, (grant) => grant.stakeholderId);
  const holders = names.stakeholders.flatMap(({ id, displayName }) => {
    const own = stakeholderId === undefined || stakeholderId === id ? (byHolder.get(id) ?? []) : [];
    if (own.length === 0) return [];
    const told = isoRows(own.map((grant) => isoGrant(asked, grant)));
    return [{ stakeholderId: id, name: displayName, ...told }];
  });
  return { asOf, limit: formatDecimal(ISO_LIMIT), holders };
}

/** What the grants of an answer share. */
interface IsoAsked {
  readonly grants: Grants;
  readonly inForce: Valuations409A<Grants["valuations"][number]>;
  readonly isEarly: boolean;
  readonly budget: Budget;
}

function isoGrant({ grants, inForce, isEarly, budget }: IsoAsked, grant: Grant): IsoGrant {
  const named = grants.valuations.find(({ id }) => id === grant.valuationId);
  const valuation = named ?? inForce.inForce(grant.stockClassId, grant.grantDate);
  const value = valuation ? valueAt(grants, valuation, grant.grantDate) : (grant.price ?? NOTHING);
  const valueFrom: ValueFrom = named ? "NAMED" : valuation ? "IN_FORCE" : "STRIKE";
  const { securityId, grantDate } = grant;
  const yearOf = (date: CalendarDate) => Number(date.slice(0, 4));
  const eventsOn = vestingOf(grants, grant, budget);
  /** The day of an event without accelerations from a day on; null if it then has no day. */
  const dayOf = ({ date, isAccelerated, instead }: Vesting, before: CalendarDate | undefined) =>
    isAccelerated && before !== undefined && date >= before ? instead : date;
  const dated = (day: CalendarDate, before?: CalendarDate) =>
    eventsOn(day).flatMap((each) => {
      const own = isEarly ? grantDate : dayOf(each, before);
      if (own === null) return [];
      const isAccelerated = each.isAccelerated && !isEarly && own === each.date;
      const isBefore = own < grantDate;
      return [{ quantity: each.quantity, isAccelerated, date: isBefore ? grantDate : own }];
    });
  const firstDay = addDays(grantDate, -1);
  const years = [
    ...new Set([firstDay, grants.view.moment.asOf].flatMap((day) => dated(day).map(({ date }) => yearOf(date)))),
  ];
  return {
    securityId,
    value,
    valueFrom,
    years,
    inYear: (year, before) =>
      dated(`${String(year - 1).padStart(4, "0")}-12-31`, before).filter(({ date }) => yearOf(date) === year),
    exercisedBefore: (day) => grants.exercisedBefore(grant, day),
  };
}

/**
 * A sale as of its grant, in shares of the day of the balance sheet: splits between the two count, later ones do not.
 * What it was sold for is the same in any shares.
 */
function saleOn(grants: Grants, grant: Grant, day: CalendarDate): Sale {
  const { stockClassId, quantity, price, grantDate } = grant;
  const isBefore = day < grantDate && stockClassId !== null;
  const growth = isBefore ? over(WHOLE, grants.growthBetween(stockClassId, day, grantDate)) : grant.growthUpTo(day);
  return { stockClassId, shares: times(quantity, growth), price: over(price ?? NOTHING, growth) };
}

/** What was sold under plans in the twelve months up to a day, against the limits. */
export function readRule701(
  db: Reader,
  orgId: string,
  asOf: CalendarDate,
  {
    totalAssets,
    balanceSheetDate = asOf,
  }: { readonly totalAssets: string | undefined; readonly balanceSheetDate: CalendarDate | undefined },
) {
  return inSnapshot(db, () => {
    const from = addDays(addYears(asOf, -1), 1);
    const grants = readGrants(db, orgId, asOf);
    const sold = grants.all.filter(
      ({ grantDate, type, equityPlanId }) => grantDate >= from && (type === "STOCK_OPTION" || equityPlanId !== null),
    );
    const sales = sold.map((grant) => saleOn(grants, grant, balanceSheetDate));
    const needed = { prices: false, strikes: false, principals: false, vestedOn: null };
    const { company } = readCompany(db, orgId, { asOf: balanceSheetDate, knownAt: END_OF_TIME }, needed);
    const classes = classesByKey(company);
    const counts = new Map(company.classes.map(({ key }) => [key, 0n]));
    const put = (key: string | null, count: bigint) => {
      if (key !== null) counts.set(key, (counts.get(key) ?? 0n) + count);
    };
    for (const held of company.held) {
      if (held.type !== "STOCK" && held.type !== "WARRANT") continue;
      put(held.classKey, held.quantity);
      const into = held.classKey === null ? null : (classes.get(held.classKey)?.intoKey ?? null);
      if (into !== null) put(into, countOf(held, classes));
    }
    const assets = totalAssets === undefined ? null : parseDecimal(totalAssets);
    return { asOf, from, ...rule701(sales, assets, counts) };
  });
}

/** Whether options were granted at no less than what a share was worth, by the valuation in force. */
export function readOptionGrants(db: Reader, orgId: string, from: CalendarDate, to: CalendarDate) {
  const { grants, events } = inSnapshot(db, () => {
    const read = readGrants(db, orgId, to);
    return { grants: read, events: read.materialEvents(db, orgId) };
  });
  const inForce = new Valuations409A(grants.valuations);
  const options = byDate(grants.all.filter(({ type, grantDate }) => type === "STOCK_OPTION" && grantDate >= from));
  const items = options.map((grant) => {
    const { price, grantDate } = grant;
    const valuation = inForce.inForce(grant.stockClassId, grantDate);
    const value = valuation && valueAt(grants, valuation, grantDate);
    const isOther = valuation !== null && grant.valuationId !== null && grant.valuationId !== valuation.id;
    const isBelow = value !== null && price !== null && compare(price, value) < 0;
    const materialEvents = valuation === null ? [] : events.between(valuation.effectiveDate, grantDate);
    return {
      securityId: grant.securityId,
      stakeholderId: grant.stakeholderId,
      grantDate,
      exercisePrice: price && figure(price),
      valuationId: valuation?.id ?? null,
      fairMarketValue: value && figure(value),
      findings: [
        ...(valuation ? [] : ["NO_VALUATION"]),
        ...(price === null ? ["STRIKE_UNKNOWN"] : []),
        ...(isBelow ? ["STRIKE_BELOW_FAIR_MARKET_VALUE"] : []),
        ...(isOther ? ["OTHER_VALUATION_NAMED"] : []),
        ...(materialEvents.length > 0 ? ["MATERIAL_EVENT_SINCE"] : []),
      ],
      materialEvents,
    };
  });
  return { from, to, items };
}

/** Which grants are expensed, how, and in which periods. */
interface ExpenseAsked {
  readonly method: Method;
  readonly periods: readonly Period[];
  readonly grants: readonly { readonly securityId: string; readonly fairValuePerShare: string }[];
}

/**
 * The expense of grants in periods. Throws `404` for a grant that does not exist, `422` for a security that is not a
 * grant.
 */
export function readExpense(db: Reader, orgId: string, { method, periods, grants: asked }: ExpenseAsked) {
  const ids = new Set(asked.map(({ securityId }) => securityId));
  const grants = inSnapshot(db, () => readGrants(db, orgId, LAST_DAY, ({ id }) => ids.has(id)));
  const known = new Map(grants.all.map((grant) => [grant.securityId, grant]));
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const [index, { securityId }] of asked.entries()) {
    if (!grants.has(securityId)) throw notFound("security");
    if (!known.has(securityId))
      findings.push([`#/grants/${index}/securityId`, "must be an option or stock that was issued"]);
    if (seen.has(securityId)) findings.push([`#/grants/${index}/securityId`, "is in the list already"]);
    seen.add(securityId);
  }
  refuse(findings);
  const budget = new Budget();
  const expensed = asked.flatMap(({ securityId, fairValuePerShare }) => {
    const grant = known.get(securityId);
    if (!grant) return [];
    const eventsOn = vestingOf(grants, grant, budget);
    return [{ securityId, grantDate: grant.grantDate, fairValuePerShare: parseDecimal(fairValuePerShare), eventsOn }];
  });
  return { method, ...expenseSchedule(expensed, method, periods, budget) };
}

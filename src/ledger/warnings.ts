// What is odd about an operation that was done, and is allowed: told in its answer. Reads what is there after it.
import { findRecord } from "../database/records.ts";
import type { Reader, Row } from "../database/sql.ts";
import type { CalendarDate } from "../kernel/date.ts";
import { type Decimal, formatDecimal, isDecimalText, max, parseDecimal, sum, ZERO } from "../kernel/decimal.ts";
import type { Warning } from "../kernel/warning.ts";
import { CountingClasses, sharesNeeded } from "./needed.ts";
import { toDraft } from "./replay.ts";
import { listSplits } from "./replay-store.ts";
import { readSplit, splitPrice } from "./split.ts";
import { lastDayOf, Valuations409A } from "./valuation-in-force.ts";
import {
  type ClassRow,
  listClassesFor,
  listOpenOfType,
  listPlansFor,
  listValuationsOf,
  type PlanRow,
} from "./warning-store.ts";

/** An operation that was done: its body, and its entries as stored. */
export interface Done {
  readonly route: string;
  readonly command: Readonly<Record<string, unknown>>;
  readonly entries: readonly Row<"transactions">[];
}

/** Operations that may need more authorized shares, or authorize fewer. */
const NEEDING: ReadonlySet<string> = new Set([
  ...["issue-shares", "issue-options", "issue-warrant", "convert", "split", "adjust-authorized", "adjust-reserve"],
]);

/** Everything that is odd about an operation, in the order of the codes. */
export function operationWarnings(db: Reader, orgId: string, done: Done): readonly Warning[] {
  return [
    ...datedBeforeIssue(db, orgId, done),
    ...grantWarnings(db, orgId, done),
    ...shortWarnings(db, orgId, done),
    ...netWarnings(done),
  ];
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function datedBeforeIssue(db: Reader, orgId: string, { command }: Done): readonly Warning[] {
  const [securityId, date] = [text(command.securityId), text(command.effectiveDate)];
  const security = securityId === null ? null : findRecord(db, "securities", orgId, securityId);
  if (security === null || date === null || date >= security.grantDate) return [];
  const detail = `It is dated ${date}, before the security was issued on ${security.grantDate}.`;
  return [{ code: "dated-before-issue", detail }];
}

function grantWarnings(db: Reader, orgId: string, { route, command }: Done): readonly Warning[] {
  if (route !== "issue-options") return [];
  const [day, strike] = [String(command.effectiveDate), String(command.exercisePrice)];
  const [classes, plans] = [listClassesFor(db, { orgId }), listPlansFor(db, { orgId })];
  const plan = plans.find(({ id }) => id === command.stockPlanId);
  const equityPlanId = plan?.id ?? null;
  const stockClassId = new CountingClasses(classes, plans).ofOption({
    stockClassId: text(command.stockClassId),
    equityPlanId,
  });
  const valuations = stockClassId === null ? [] : valuationWarnings(db, orgId, { stockClassId, day, strike });
  return [...valuations, ...isoWarnings(db, orgId, command), ...planWarnings(plan, day)];
}

interface Grant {
  readonly stockClassId: string;
  readonly day: CalendarDate;
  readonly strike: string;
}

/** By the 409A in force on the day of the grant; where none is any more, that is told. */
function valuationWarnings(db: Reader, orgId: string, { stockClassId, day, strike }: Grant): readonly Warning[] {
  const valuations = new Valuations409A(listValuationsOf(db, { orgId, stockClassId }));
  const valuation = valuations.inForce(stockClassId, day);
  if (valuation === null) {
    const ended = valuations.of(stockClassId).filter(({ effectiveDate }) => effectiveDate <= day);
    const last = ended.map(lastDayOf).sort().at(-1);
    if (last === undefined) return [];
    const detail = `No 409A valuation is in force on ${day}: the last one could be relied on until ${last}.`;
    return [{ code: "valuation-expired", detail }];
  }
  const price = priceOn(db, orgId, stockClassId, valuation, day);
  if (parseDecimal(strike) >= parseDecimal(price)) return [];
  const detail = `The strike of ${strike} is below ${price}, the 409A valuation's price per share of ${valuation.effectiveDate}.`;
  return [{ code: "strike-below-valuation", detail }];
}

/** A valuation's price in shares of the day of the grant: after the splits of the class in between. */
function priceOn(
  db: Reader,
  orgId: string,
  stockClassId: string,
  valuation: { readonly pricePerShare: string; readonly effectiveDate: CalendarDate },
  day: CalendarDate,
): string {
  const between = listSplits(db, orgId)
    .filter(({ effectiveDate }) => effectiveDate > valuation.effectiveDate && effectiveDate <= day)
    .flatMap((row) => toDraft(row) ?? [])
    .map(({ metadata }) => readSplit(metadata))
    .filter((split) => split.stockClassId === stockClassId);
  return between.reduce((price, split) => splitPrice(price, split) ?? price, valuation.pricePerShare);
}

function isoWarnings(db: Reader, orgId: string, command: Done["command"]): readonly Warning[] {
  if (command.optionType !== "ISO") return [];
  const holder = findRecord(db, "stakeholders", orgId, String(command.stakeholderId));
  if (holder?.type !== "INSTITUTION") return [];
  const detail = `${holder.displayName} is an institution; only an employee can have incentive stock options.`;
  return [{ code: "iso-to-institution", detail }];
}

function planWarnings(plan: PlanRow | undefined, day: CalendarDate): readonly Warning[] {
  const begins = plan?.adoptedDate ?? plan?.boardApprovalDate ?? null;
  if (!plan || begins === null || day >= begins) return [];
  const detail = `The grant is dated ${day}, before ${plan.planName} was adopted on ${begins}.`;
  return [{ code: "granted-before-plan", detail }];
}

function shortWarnings(db: Reader, orgId: string, { route, entries }: Done): readonly Warning[] {
  if (!NEEDING.has(route)) return [];
  const [classes, plans] = [listClassesFor(db, { orgId }), listPlansFor(db, { orgId })];
  const touched = touchedBy(entries, classes, new CountingClasses(classes, plans));
  const warrants = listOpenOfType(db, { orgId, type: "WARRANT" });
  const possible = touched.filter((each) => isPossiblyShort(each, classes, plans, sum(warrants.map(quantityOf))));
  if (possible.length === 0) return [];
  const needed = sharesNeeded(classes, plans, [...warrants, ...listOpenOfType(db, { orgId, type: "STOCK_OPTION" })]);
  return possible.flatMap(({ id, name, currentSharesAuthorized }) => {
    const needs = needed.get(id) ?? ZERO;
    if (!isDecimalText(currentSharesAuthorized) || needs <= parseDecimal(currentSharesAuthorized)) return [];
    const detail =
      `${name} needs ${formatDecimal(needs)} shares for all that is outstanding and may still be issued of it, and has ` +
      `${currentSharesAuthorized} authorized.`;
    return [{ code: "short-of-reserved" as const, detail }];
  });
}

const quantityOf = ({ quantity }: { readonly quantity: string }) => parseDecimal(quantity);

/** The classes that entries name, by themselves or by a plan; and what preferred stock of them converts into. */
function touchedBy(
  entries: Done["entries"],
  classes: readonly ClassRow[],
  counting: CountingClasses,
): readonly ClassRow[] {
  const ids = new Set<string | null>();
  for (const { metadata } of entries) {
    const { stockClassId, equityPlanId } = JSON.parse(metadata ?? "{}") as Record<string, unknown>;
    const plan = text(equityPlanId);
    if (text(stockClassId) !== null) ids.add(text(stockClassId));
    else if (plan !== null) ids.add(counting.ofPlan(plan));
  }
  if (classes.some(({ id, classType }) => ids.has(id) && classType === "PREFERRED")) ids.add(counting.oldestCommon);
  return classes.filter(({ id }) => ids.has(id));
}

/**
 * Whether a class could be short at all: open options are within what their plans reserve. Most classes have room for
 * all reserves, so that nobody needs to look at each option with each write.
 */
function isPossiblyShort(
  { id, issued, currentSharesAuthorized }: ClassRow,
  classes: readonly ClassRow[],
  plans: readonly PlanRow[],
  warrants: Decimal,
): boolean {
  if (!isDecimalText(currentSharesAuthorized)) return false;
  const preferred = classes.filter((each) => each.classType === "PREFERRED" && each.id !== id);
  const reserves = plans.map(({ totalSharesReserved, currentSharesReserved }) => {
    const [reserved, available] = [parseDecimal(totalSharesReserved), parseDecimal(currentSharesReserved)];
    return max(reserved, reserved - available);
  });
  const most =
    parseDecimal(issued) + sum(preferred.map((each) => parseDecimal(each.issued))) + sum(reserves) + warrants;
  return most > parseDecimal(currentSharesAuthorized);
}

function netWarnings({ route, command }: Done): readonly Warning[] {
  if (route !== "exercise" || command.paymentMethod !== "NET_EXERCISE" || text(command.fairMarketValue)) return [];
  const detail = "Without `fairMarketValue` a net exercise issues the gross number of shares: nothing is withheld.";
  return [{ code: "net-without-value", detail }];
}

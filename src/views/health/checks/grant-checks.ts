// Checks of option grants against the 409A valuations. Pure.
import { addDays, addYears } from "../../../kernel/date.ts";
import { parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { counted } from "../../../kernel/text/text.ts";
import { CountingClasses } from "../../../ledger/rules/required-authorization.ts";
import { priceInSharesOf } from "../../../ledger/splits/dated-splits.ts";
import { lastDayOf, Valuations409A } from "../../../ledger/warnings/valuation-in-force.ts";
import type { Register, SecurityRow } from "../check-register.ts";
import { type Found, foundOf, named, securitySubject, valuationSubject } from "../finding.ts";
import type { Company, ValuationRow } from "../health-company.ts";

/** The newest 409A of each class that has one, where none is in force today. */
export function valuationsExpired({ classes, valuations, today }: Company): Found | null {
  const all = new Valuations409A(valuations);
  const outdated = classes.flatMap(({ id, name }) => {
    const begun = all.of(id).filter(({ effectiveDate }) => effectiveDate <= today);
    const newest = begun.toSorted(byEffectiveDate).at(-1);
    const isGood = begun.some((valuation) => valuation.status === "APPROVED" && today <= lastDayOf(valuation));
    return newest && !isGood ? [{ newest, name }] : [];
  });
  const subjects = outdated.map(({ newest }) => valuationSubject(newest));
  return foundOf(subjects, (count) => {
    const of = named(outdated.map(({ newest, name }) => `${name} (${newest.effectiveDate})`));
    const classesOf = counted(count, "share class", "share classes");
    return `The newest 409A valuation of ${classesOf} is no longer in force: ${of}.`;
  });
}

function byEffectiveDate(a: ValuationRow, b: ValuationRow): number {
  return a.effectiveDate < b.effectiveDate ? -1 : a.effectiveDate > b.effectiveDate ? 1 : 0;
}

/** Options granted in the last twelve months on a day without a 409A of their class in force. */
export function valuationsMissing(company: Company): Found | null {
  const { register, today } = company;
  const [valuations, counting] = [new Valuations409A(company.valuations), countingOf(company)];
  const from = addDays(addYears(today, -1), 1);
  const found = register.kept.filter((security) => {
    if (!isGrant(register, security) || security.grantDate < from || security.grantDate > today) return false;
    return valuations.inForce(counting.ofOption(security), security.grantDate) === null;
  });
  return foundOf(found.map(securitySubject), (count) => {
    const were = counted(count, "option was", "options were");
    return `${were} granted in the last twelve months on a day without a 409A valuation in force.`;
  });
}

/** Open options with a strike below the price of the 409A in force on the day of their grant. */
export function strikesBelowValuation(company: Company): Found | null {
  const { register, splits } = company;
  const [valuations, counting] = [new Valuations409A(company.valuations), countingOf(company)];
  const found = register.open.filter((option) => {
    if (option.type !== "STOCK_OPTION" || option.exercisePrice === null) return false;
    const valuation = valuations.inForce(counting.ofOption(option), register.first(option).grantDate);
    if (valuation === null) return false;
    return parseDecimal(option.exercisePrice) < parseDecimal(priceInSharesOf(option, valuation, splits));
  });
  return foundOf(found.map(securitySubject), (count) => {
    const have = counted(count, "option has", "options have");
    return `${have} a strike below the price of the 409A valuation in force on the day of the grant.`;
  });
}

/** Open securities granted under a plan after it expired. */
export function grantedAfterPlan({ plans, register }: Company): Found | null {
  const ends = new Map(plans.map(({ id, expirationDate }) => [id, expirationDate]));
  const found = register.open.filter((security) => {
    const end = ends.get(security.equityPlanId ?? "") ?? null;
    return end !== null && register.first(security).grantDate > end;
  });
  return foundOf(found.map(securitySubject), (count) => {
    return `${counted(count, "security was", "securities were")} granted after the plan had expired.`;
  });
}

/** Open securities whose expiration lies before their grant. */
export function expireBeforeGrant({ register }: Company): Found | null {
  const found = register.open.filter((security) => {
    return security.expirationDate !== null && security.expirationDate < register.first(security).grantDate;
  });
  return foundOf(found.map(securitySubject), (count) => {
    return `${counted(count, "security expires", "securities expire")} before the day of the grant.`;
  });
}

/** Open securities whose grant date was corrected: their entry keeps its day. */
export function datedOtherwise({ register, daysOnLedger }: Company): Found | null {
  const found = register.open.filter(({ id }) => daysOnLedger.has(id));
  return foundOf(found.map(securitySubject), (count) => {
    const have = counted(count, "security has", "securities have");
    const days = named(
      found.map(
        ({ id, certificateId, grantDate }) => `${certificateId ?? id} (${grantDate}, not ${daysOnLedger.get(id)})`,
      ),
    );
    return `${have} another grant date than the ledger, which counts from its own: ${days}.`;
  });
}

function countingOf({ classes, plans }: Company): CountingClasses {
  return new CountingClasses(classes, plans);
}

/**
 * Whether a security is a grant of options of its own: not what was made of another; nor one that was cancelled before
 * anything came of it, as if never granted; nor a share unit, which has no strike.
 */
function isGrant(register: Register, security: SecurityRow): boolean {
  const { type, originSecurityId, exercisePrice, status, id } = security;
  if (type !== "STOCK_OPTION" || originSecurityId !== null || exercisePrice === null) return false;
  return status !== "CANCELLED" || register.isSource(id);
}

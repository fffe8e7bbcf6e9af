// Health checks of authorized and reserved shares: over the limit now or on another day, and too few for future
// issuances. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { counted } from "../../../kernel/text/text.ts";
import { isOneForOne } from "../../../ledger/rules/conversion.ts";
import { sharesNeeded } from "../../../ledger/rules/required-authorization.ts";
import { conversionsNow } from "../../../ledger/warnings/ratio-warnings.ts";
import { toClassState, toPlanState } from "../../../ledger/writes/load.ts";
import { classSubject, type Found, foundOf, SUBJECTS_MAX, type Subject } from "../finding.ts";
import type { Company } from "../health-company.ts";

/** A subject with its own detail. */
interface Told {
  readonly subject: Subject;
  readonly words: string;
}

/** Lists the detail of each named subject, after the sentence about all. */
function foundEach(told: readonly Told[], about: (count: number) => string): Found | null {
  const words = told.slice(0, SUBJECTS_MAX).map((each) => each.words);
  const subjects = told.map(({ subject }) => subject);
  return foundOf(subjects, (count) => `${about(count)}: ${words.join("; ")}.`);
}

/** The first day over a limit, which may be to come. */
function firstOver(day: CalendarDate, today: CalendarDate): string {
  return day > today ? `will first be over it on ${day}` : `was first over it on ${day}`;
}

/** Classes with more outstanding than authorized, as the record stands or in the view of a day. */
export function classesOverAuthorized({ classes, past, today }: Company): Found | null {
  const told = classes.flatMap((row): Told[] => {
    const { issued, authorized } = toClassState(row);
    const first = past.classes.get(row.id);
    const isOver = authorized !== null && issued > authorized;
    if (!isOver && !first) return [];
    const now = isOver ? `has ${formatDecimal(issued)} of ${formatDecimal(authorized)}` : "is within its limit now";
    const then = first && `${formatDecimal(first.issued)} of ${formatDecimal(first.authorized)}`;
    const since = first ? `, ${firstOver(first.day, today)} with ${then}` : "";
    return [{ subject: classSubject(row), words: `${row.name} ${now}${since}` }];
  });
  return foundEach(told, (count) => {
    const have = counted(count, "share class has", "share classes have");
    return `${have} more outstanding than is authorized, now or on another day`;
  });
}

/** Plans with more granted than reserved, as the record stands or in the view of a day. */
export function plansOverReserve({ plans, past, today }: Company): Found | null {
  const told = plans.flatMap((row): Told[] => {
    const { available } = toPlanState(row);
    const first = past.plans.get(row.id);
    if (available >= ZERO && !first) return [];
    const now = available < ZERO ? `lacks ${formatDecimal(-available)} shares` : "is within its reserve now";
    const since = first ? `, ${firstOver(first.day, today)} by ${formatDecimal(-first.available)}` : "";
    const subject = { resourceType: "equity-plan", id: row.id, name: row.planName } as const;
    return [{ subject, words: `${row.planName} ${now}${since}` }];
  });
  return foundEach(told, (count) => {
    const have = counted(count, "equity plan has", "equity plans have");
    return `${have} more granted than is reserved, now or on another day`;
  });
}

/** Classes with fewer authorized shares than outstanding and possible future ones. */
export function classesShortOfReserved({ classes, plans, organization }: Company): Found | null {
  const needed = sharesNeeded(classes, plans, organization.openOptions);
  const told = classes.flatMap((row): Told[] => {
    const { authorized } = toClassState(row);
    const needs = needed.get(row.id) ?? ZERO;
    if (authorized === null || needs <= authorized) return [];
    const words = `${row.name} needs ${formatDecimal(needs)} and has ${formatDecimal(authorized)}`;
    return [{ subject: classSubject(row), words }];
  });
  return foundEach(told, (count) => {
    const have = counted(count, "share class has", "share classes have");
    return `${have} too few authorized for all outstanding shares, options, warrants, reserves and conversions`;
  });
}

/** Plans without classes that have a reserve or open awards: a split multiplies what it finds by class, and finds neither. */
export function plansWithoutClass({ plans, register }: Company): Found | null {
  const granting = new Set(register.open.map(({ equityPlanId }) => equityPlanId));
  const found = plans.filter((row) => {
    const hasClass = (JSON.parse(row.stockClassIds) as string[]).length > 0;
    return !hasClass && (granting.has(row.id) || toPlanState(row).available > ZERO);
  });
  const subjects = found.map(({ id, planName }): Subject => ({ resourceType: "equity-plan", id, name: planName }));
  return foundOf(subjects, (count) => {
    const have = counted(count, "equity plan names", "equity plans name");
    return `${have} no share class: a split changes neither its reserve nor its awards.`;
  });
}

/** Classes with shares outstanding that do not count one for one where figures are fully diluted. */
export function ratiosNotOne({ classes }: Company): Found | null {
  const conversions = conversionsNow(classes);
  const told = classes.flatMap((row): Told[] => {
    const conversion = conversions.get(row.id);
    if (isOneForOne(conversion) || !conversion || toClassState(row).issued === ZERO) return [];
    const { numerator, denominator } = conversion.told;
    return [{ subject: classSubject(row), words: `${row.name} ${numerator}:${denominator}` }];
  });
  return foundEach(told, (count) => {
    return `${counted(count, "preferred class counts", "preferred classes count")} as converted, and not one for one`;
  });
}

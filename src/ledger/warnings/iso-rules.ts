// Rules of incentive stock options: the recorded facts that keep an option from being one (26 USC 422(a)(2), (b)(1) to
// (3), (c)(5)). Pure.
import { addMonths, addYears, type CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";

/** What is known of an incentive option, its holder and its plan. */
export interface IsoFacts {
  readonly grantDate: CalendarDate;
  readonly expirationDate: CalendarDate | null;
  readonly strike: string | null;
  /** By the 409A in force on the day of the grant, in the shares of the strike. */
  readonly fairValue: string | null;
  readonly holder: { readonly displayName: string; readonly relationships: readonly string[] } | null;
  /** Whether the holder has more than a tenth of all votes. */
  readonly hasTenth: boolean;
  readonly plan: IsoPlan | null;
  /** The day by which an approval is missed: that of the grant, or today. */
  readonly asOf: CalendarDate;
}

/** When a plan was adopted, and approved by stockholders. */
export interface IsoPlan {
  readonly planName: string;
  readonly adoptedDate: CalendarDate | null;
  readonly stockholderApprovalDate: CalendarDate | null;
}

const MONTHS_TO_APPROVE = 12;
const YEARS = 10;
const YEARS_OF_TENTH = 5;

/** All warnings about it, in the order of the codes. */
export function isoFaults(facts: IsoFacts): readonly Warning[] {
  return [...holderFaults(facts), ...termFaults(facts), ...tenthFaults(facts), ...planFaults(facts)];
}

function holderFaults({ holder }: IsoFacts): readonly Warning[] {
  if (holder === null || holder.relationships.length === 0) return [];
  if (holder.relationships.some((each) => each === "EMPLOYEE" || each === "EXECUTIVE")) return [];
  const detail = `${holder.displayName} is recorded as no employee; only an employee can have incentive stock options.`;
  return [{ code: "iso-to-non-employee", detail }];
}

function termFaults({ grantDate, expirationDate }: IsoFacts): readonly Warning[] {
  if (expirationDate === null) return [];
  const last = addYears(grantDate, YEARS);
  if (expirationDate <= last) return [];
  const detail = `It expires on ${expirationDate}; an incentive stock option expires by ${last}, ten years after its grant.`;
  return [{ code: "iso-term", detail }];
}

function tenthFaults({ grantDate, expirationDate, strike, fairValue, hasTenth, holder }: IsoFacts): readonly Warning[] {
  if (!hasTenth) return [];
  const last = addYears(grantDate, YEARS_OF_TENTH);
  const isLate = expirationDate !== null && expirationDate > last;
  const least = fairValue === null ? ZERO : (parseDecimal(fairValue) * 11n) / 10n;
  const isLow = strike !== null && isBelowWithTenth(strike, fairValue);
  const needs = [
    ...(isLow ? [`a strike of at least ${formatDecimal(least)}`] : []),
    ...(isLate ? [`an expiry by ${last}`] : []),
  ];
  if (needs.length === 0) return [];
  const who = holder?.displayName ?? "The holder";
  const detail = `${who} has more than 10 % of all votes; an incentive stock option then needs ${needs.join(" and ")}.`;
  return [{ code: "iso-ten-percent-holder", detail }];
}

/** Whether a strike is below 110 % of a price. */
function isBelowWithTenth(strike: string, fairValue: string | null): boolean {
  return fairValue !== null && parseDecimal(strike) * 10n < parseDecimal(fairValue) * 11n;
}

function planFaults({ plan, grantDate, asOf }: IsoFacts): readonly Warning[] {
  if (plan === null) return [];
  return [...approvalFaults(plan, asOf), ...ageFaults(plan, grantDate)];
}

function approvalFaults({ planName, adoptedDate, stockholderApprovalDate: approved }: IsoPlan, asOf: CalendarDate) {
  if (adoptedDate === null) return [];
  const [first, last] = [addMonths(adoptedDate, -MONTHS_TO_APPROVE), addMonths(adoptedDate, MONTHS_TO_APPROVE)];
  const isWithin = approved === null ? asOf <= last : approved >= first && approved <= last;
  if (isWithin) return [];
  const said =
    approved === null ? "no approval by stockholders is recorded" : `stockholders approved it on ${approved}`;
  const detail = `${planName} was adopted on ${adoptedDate}, and ${said}; they have to within twelve months.`;
  return [{ code: "iso-plan-approval" as const, detail }];
}

function ageFaults({ planName, adoptedDate, stockholderApprovalDate }: IsoPlan, grantDate: CalendarDate) {
  const [begins] = [adoptedDate, stockholderApprovalDate].filter((day) => day !== null).sort();
  if (begins === undefined || grantDate <= addYears(begins, YEARS)) return [];
  const detail =
    `The grant is dated ${grantDate}, more than ten years after ${planName} was adopted or approved on ${begins}: ` +
    "incentive stock options are granted within ten years.";
  return [{ code: "iso-plan-age" as const, detail }];
}

/** A class as it votes. */
export interface VotingClass {
  readonly id: string;
  readonly classType: string;
  readonly votesPerShare: string;
  /** Of preferred stock: `PER_SHARE` where it does not vote as converted. */
  readonly votesBasis?: string | null;
  readonly issued: string;
  /** Its counting right, numerator by denominator. */
  readonly ratio: { readonly numerator: string; readonly denominator: string };
}

/** Whether a holder's shares, by class, have more than a tenth of all votes. */
export function hasTenthOfVotes(classes: readonly VotingClass[], own: ReadonlyMap<string, Decimal>): boolean {
  let [ownVotes, allVotes, unit] = [0n, 0n, 1n];
  for (const row of classes) {
    const { factor, divisor } = votesOf(row);
    ownVotes = ownVotes * divisor + (own.get(row.id) ?? ZERO) * factor * unit;
    allVotes = allVotes * divisor + parseDecimal(row.issued) * factor * unit;
    unit *= divisor;
  }
  return ownVotes * 10n > allVotes;
}

/** The votes of a share, as `factor ÷ divisor`. */
function votesOf({ classType, votesPerShare, votesBasis, ratio }: VotingClass): { factor: bigint; divisor: bigint } {
  const votes = parseDecimal(votesPerShare);
  if (classType !== "PREFERRED" || votesBasis === "PER_SHARE") return { factor: votes, divisor: 1n };
  return { factor: votes * parseDecimal(ratio.numerator), divisor: parseDecimal(ratio.denominator) };
}

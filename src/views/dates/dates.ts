// Dates to come of one organization: what expires, ends, matures, is due or vests on which day. Pure.

import { addDays, type CalendarDate } from "../../kernel/date.ts";
import { lastDayOf, type Valuations409A } from "../../ledger/warnings/valuation-in-force.ts";
import type { Row } from "../../storage/database/sql.ts";
import type { Election } from "./elections.ts";
import { DATE_KINDS, type DatedType, type DateKind, TITLES } from "./kinds.ts";

/** A date, and the record that it is of. */
export interface DatedItem {
  readonly date: CalendarDate;
  readonly kind: DateKind;
  readonly title: string;
  /** The title without names and numbers. */
  readonly plainTitle: string;
  readonly resourceType: DatedType;
  readonly resourceId: string;
  /** Whose it is; null for what has no holder. */
  readonly stakeholderId: string | null;
  /** The security that it is about; null without one. */
  readonly securityId: string | null;
}

/** A security that is open today. */
export interface OpenSecurity {
  readonly id: string;
  readonly type: Row<"securities">["type"];
  readonly certificateId: string | null;
  readonly stakeholderId: string | null;
  readonly expirationDate: CalendarDate | null;
  /** Of a convertible. */
  readonly maturityDate: CalendarDate | null;
  /** The first and the last day on which something vests. */
  readonly vesting: { readonly first: CalendarDate; readonly last: CalendarDate } | null;
}

/** A holder. */
export interface DatedHolder {
  readonly displayName: string;
  readonly isIndividual: boolean;
  /** Whether the holder's service has ended, by status or relationships. */
  readonly isFormer: boolean;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** A 409A valuation. */
export type DatedValuation = Pick<
  Row<"valuations">,
  "id" | "type" | "status" | "stockClassId" | "effectiveDate" | "expirationDate"
>;

/** What dates follow from. No record is a deleted one. */
export interface DatedCompany {
  readonly countryOfFormation: string | null;
  readonly securities: readonly OpenSecurity[];
  readonly elections: readonly (Election & Pick<OpenSecurity, "certificateId">)[];
  readonly holders: ReadonlyMap<string, DatedHolder>;
  readonly classes: readonly Named[];
  readonly valuations: Valuations409A<DatedValuation>;
  readonly plans: readonly (Named & { readonly expirationDate: CalendarDate | null })[];
  /** Draft and Submitted ones. */
  readonly approvals: readonly Pick<Row<"approvals">, "id" | "title" | "dueDate">[];
  /** Pending ones. */
  readonly milestones: readonly Pick<Row<"vesting_milestones">, "id" | "name" | "targetDate" | "securityId">[];
}

/** The days and kinds that are asked for; both ends are included. */
export interface DatesAsked {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly kinds: ReadonlySet<DateKind>;
}

const NOUNS: Readonly<Record<OpenSecurity["type"], string>> = {
  STOCK: "Stock",
  STOCK_OPTION: "Option",
  WARRANT: "Warrant",
  CONVERTIBLE: "Convertible",
};

/** How long after the shares came to the holder an election under section 83(b) may be made: 26 USC 83(b)(2). */
export const ELECTION_DAYS = 30;

/** The dates asked for, by day; of one day by kind, then by record. */
export function datesOf(company: DatedCompany, { from, to, kinds }: DatesAsked): DatedItem[] {
  const found = DATE_KINDS.filter((kind) => kinds.has(kind))
    .flatMap((kind) => FINDERS[kind](company).map((item) => ({ ...item, kind })))
    .filter(({ date }) => from <= date && date <= to);
  // Stable: dates of one day keep the order of kinds and records.
  return found.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}

type Found = Omit<DatedItem, "kind">;

const FINDERS: Readonly<Record<DateKind, (company: DatedCompany) => Found[]>> = {
  "exercise-window-ends": (company) =>
    expirations(company, "exercise-window-ends", (security) => isFormers(security, company)),
  "security-expires": (company) =>
    expirations(company, "security-expires", (security) => !isFormers(security, company)),
  "valuation-ends": valuationEnds,
  "convertible-matures": (company) =>
    ofSecurities(company, "convertible-matures", ({ type, maturityDate }) =>
      type === "CONVERTIBLE" ? maturityDate : null,
    ),
  "plan-expires": ({ plans }) =>
    plans.flatMap(({ id, name, expirationDate }) =>
      ofRecord(expirationDate, { kind: "plan-expires", type: "equity-plan", id, what: name }),
    ),
  "approval-due": ({ approvals }) =>
    approvals.flatMap(({ id, title, dueDate }) =>
      ofRecord(dueDate, { kind: "approval-due", type: "approval", id, what: title }),
    ),
  "milestone-due": milestonesDue,
  "vesting-cliff": (company) => ofSecurities(company, "vesting-cliff", ({ vesting }) => vesting?.first ?? null),
  "vesting-complete": (company) => ofSecurities(company, "vesting-complete", ({ vesting }) => vesting?.last ?? null),
  "section-83b": electionsDue,
};

function isFormers({ type, stakeholderId }: OpenSecurity, { holders }: DatedCompany): boolean {
  return type === "STOCK_OPTION" && holders.get(stakeholderId ?? "")?.isFormer === true;
}

function expirations(company: DatedCompany, kind: DateKind, isIt: (security: OpenSecurity) => boolean): Found[] {
  return ofSecurities(company, kind, (security) => {
    const canExpire = security.type === "STOCK_OPTION" || security.type === "WARRANT";
    return canExpire && isIt(security) ? security.expirationDate : null;
  });
}

function ofSecurities(
  company: DatedCompany,
  kind: DateKind,
  dateOf: (security: OpenSecurity) => CalendarDate | null,
): Found[] {
  return company.securities.flatMap((security) => {
    const date = dateOf(security);
    return date === null ? [] : [ofSecurity(company, { ...security, kind, date, noun: NOUNS[security.type] })];
  });
}

interface SecurityDate extends Pick<OpenSecurity, "id" | "certificateId" | "stakeholderId"> {
  readonly kind: DateKind;
  readonly date: CalendarDate;
  readonly noun: string;
}

function ofSecurity(
  { holders }: DatedCompany,
  { kind, date, noun, id, certificateId, stakeholderId }: SecurityDate,
): Found {
  const holder = holders.get(stakeholderId ?? "")?.displayName;
  const what = [certificateId, holder === undefined ? null : `(${holder})`].filter((part) => part !== null).join(" ");
  const titles = TITLES[kind](what === "" ? id : what, noun);
  return { ...titles, date, resourceType: "security", resourceId: id, stakeholderId, securityId: id };
}

interface RecordDate {
  readonly kind: DateKind;
  readonly type: DatedType;
  readonly id: string;
  readonly what: string;
  readonly of?: Pick<Found, "stakeholderId" | "securityId">;
}

const OF_NO_HOLDER = { stakeholderId: null, securityId: null } as const;

function ofRecord(date: CalendarDate | null, { kind, type, id, what, of = OF_NO_HOLDER }: RecordDate): Found[] {
  return date === null ? [] : [{ ...TITLES[kind](what, ""), date, resourceType: type, resourceId: id, ...of }];
}

/** A valuation ends where it is the one in force on its last day: one that another followed ends nothing. */
function valuationEnds({ classes, valuations }: DatedCompany): Found[] {
  return classes.flatMap((stockClass) =>
    valuations.of(stockClass.id).flatMap((valuation) => {
      const date = lastDayOf(valuation);
      if (valuations.inForce(stockClass.id, date)?.id !== valuation.id) return [];
      return ofRecord(date, {
        ...{ kind: "valuation-ends", type: "valuation", id: valuation.id, what: stockClass.name },
      });
    }),
  );
}

function milestonesDue({ milestones, securities }: DatedCompany): Found[] {
  const open = new Map(securities.map((security) => [security.id, security]));
  return milestones.flatMap(({ id, name, targetDate, securityId }) => {
    const stakeholderId = open.get(securityId ?? "")?.stakeholderId ?? null;
    const of = { stakeholderId, securityId };
    return ofRecord(targetDate, { kind: "milestone-due", type: "vesting-milestone", id, what: name, of });
  });
}

function electionsDue(company: DatedCompany): Found[] {
  if (company.countryOfFormation !== "US") return [];
  return company.elections
    .filter(({ stakeholderId }) => company.holders.get(stakeholderId)?.isIndividual === true)
    .map(({ securityId: id, day, ...rest }) =>
      ofSecurity(company, { ...rest, id, kind: "section-83b", date: addDays(day, ELECTION_DAYS), noun: "Stock" }),
    );
}

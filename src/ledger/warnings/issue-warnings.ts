// Warnings about an issuance, a transfer, or a correction of either: plan, days, holder and figures that do not fit.

import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, ONE, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Facts, NamedHolder } from "../operation.ts";
import { findDayOnLedger } from "../replay/replay-store.ts";
import { findNamedHolder } from "../store.ts";
import { asText } from "./dated-warnings.ts";

type Command = Readonly<Record<string, unknown>>;
type SecurityRow = Row<"securities">;

/** What is looked at of the row of a security. */
export type IssuedRow = Pick<
  SecurityRow,
  | ("orgId" | "id" | "type" | "stakeholderId" | "stockClassId" | "equityPlanId")
  | ("quantity" | "pricePerShare" | "exercisePrice" | "grantDate" | "expirationDate")
>;

/** The records that the caller has loaded; others are read. */
export type Loaded = Pick<Facts, "stakeholders" | "plans">;

/** What a security was issued as; a null says nothing about it. */
export interface Issue {
  readonly stakeholderId: string | null;
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  readonly quantity: string | null;
  /** Of one share: what was paid, or the strike. */
  readonly price: string | null;
  readonly day: CalendarDate;
  readonly expirationDate: CalendarDate | null;
}

const ISSUING: ReadonlySet<string> = new Set(["issue-shares", "issue-options", "issue-warrant", "issue-convertible"]);
const NOTHING = { stockClassId: null, equityPlanId: null, quantity: null, price: null, expirationDate: null } as const;

/** An operation that was done: its body, and the records that it loaded. */
interface Done extends Loaded {
  readonly route: string;
  readonly command: Command;
}

/** The warnings of an operation that issues or transfers; an empty list for other operations. */
export function issueWarningsOf(db: Reader, orgId: string, done: Done): readonly Warning[] {
  const { route, command } = done;
  const day = String(command.effectiveDate);
  if (route === "transfer") {
    return issueWarnings(db, orgId, { ...NOTHING, stakeholderId: asText(command.toStakeholderId), day }, done);
  }
  if (!ISSUING.has(route)) return [];
  const issue = {
    stakeholderId: asText(command.stakeholderId),
    stockClassId: asText(command.stockClassId),
    equityPlanId: asText(command.stockPlanId),
    quantity: asText(command.quantity),
    price: asText(command.pricePerShare) ?? asText(command.exercisePrice),
    day,
    expirationDate: asText(command.expirationDate),
  };
  return issueWarnings(db, orgId, issue, done);
}

/** A caller has loaded nothing. */
export const NOT_LOADED: Loaded = { stakeholders: new Map(), plans: new Map() };

/** All warnings about an issuance, in the order of the codes. */
export function issueWarnings(
  db: Reader,
  orgId: string,
  issue: Issue,
  loaded: Loaded = NOT_LOADED,
): readonly Warning[] {
  return [
    ...expiredPlan(db, orgId, issue, loaded),
    ...expiresBefore(issue),
    ...formerHolder(db, orgId, issue, loaded),
    ...swapped(db, orgId, issue),
  ];
}

/** The same of the row of a new security. */
export function issuedWarnings(db: Reader, row: IssuedRow, loaded: Loaded): readonly Warning[] {
  return issueWarnings(db, row.orgId, issueOf(row), loaded);
}

/**
 * The same of a security that a record made or changed: of a change only what its members bear on, so that another
 * change does not repeat it. `before` is null for a new one.
 */
export function recordWarnings(db: Reader, row: IssuedRow, before: IssuedRow | null): readonly Warning[] {
  if (before === null) return issuedWarnings(db, row, NOT_LOADED);
  const issue = issueOf(row);
  const old = issueOf(before);
  const differs = (...names: (keyof Issue)[]) => names.some((name) => issue[name] !== old[name]);
  return [
    ...(differs("equityPlanId", "day") ? expiredPlan(db, row.orgId, issue, NOT_LOADED) : []),
    ...(differs("expirationDate", "day") ? expiresBefore(issue) : []),
    ...(differs("stakeholderId") ? formerHolder(db, row.orgId, issue, NOT_LOADED) : []),
    ...(differs("quantity", "price", "stockClassId") ? swapped(db, row.orgId, issue) : []),
    ...(differs("day") ? otherDay(db, row) : []),
  ];
}

function issueOf(row: IssuedRow): Issue {
  const { stakeholderId, stockClassId, equityPlanId, quantity, grantDate: day, expirationDate } = row;
  const price = row.type === "STOCK" ? row.pricePerShare : row.exercisePrice;
  return { stakeholderId, stockClassId, equityPlanId, quantity, price, day, expirationDate };
}

function expiredPlan(db: Reader, orgId: string, { equityPlanId, day }: Issue, loaded: Loaded): readonly Warning[] {
  const plan = planOf(db, orgId, equityPlanId, loaded);
  if (!plan?.expirationDate || day <= plan.expirationDate) return [];
  const detail = `The grant is dated ${day}, after ${plan.planName} expired on ${plan.expirationDate}.`;
  return [{ code: "plan-expired", detail }];
}

function expiresBefore({ day, expirationDate }: Issue): readonly Warning[] {
  if (expirationDate === null || expirationDate >= day) return [];
  const detail = `It expires on ${expirationDate}, before it is granted on ${day}: it can never be exercised.`;
  return [{ code: "expires-before-grant", detail }];
}

function formerHolder(db: Reader, orgId: string, { stakeholderId }: Issue, loaded: Loaded): readonly Warning[] {
  const holder = holderOf(db, orgId, stakeholderId, loaded);
  if (holder?.status !== "FORMER") return [];
  return [{ code: "holder-former", detail: `${holder.displayName} is a former stakeholder.` }];
}

/** The holder, as loaded or on record. */
export function holderOf(db: Reader, orgId: string, id: string | null, loaded: Loaded): NamedHolder | null {
  return id === null ? null : (loaded.stakeholders.get(id) ?? findNamedHolder(db, { orgId, id }));
}

/** The plan, as loaded or on record. */
export function planOf(db: Reader, orgId: string, id: string | null, loaded: Loaded): Row<"equity_plans"> | null {
  return id === null ? null : (loaded.plans.get(id) ?? findRecord(db, "equity_plans", orgId, id));
}

const FEW_SHARES = 100n * ONE;
const PRICES_APART = 1000n;

/**
 * Whether quantity and price of one share look swapped: fewer than 100 shares at 1,000 times the usual price or more;
 * where that is not known (zero), a fraction of a share at 1,000 or more.
 */
export function looksSwapped(shares: Decimal, paid: Decimal, usual: Decimal): boolean {
  if (shares >= FEW_SHARES) return false;
  return usual === ZERO ? paid >= PRICES_APART * ONE && shares % ONE !== ZERO : paid >= PRICES_APART * usual;
}

function swapped(db: Reader, orgId: string, { quantity, price, stockClassId }: Issue): readonly Warning[] {
  if (quantity === null || price === null) return [];
  const shares = parseDecimal(quantity);
  // Most issues are of more: their class need not be read.
  if (shares >= FEW_SHARES) return [];
  const stockClass = stockClassId === null ? null : findRecord(db, "share_classes", orgId, stockClassId);
  const usual = parseDecimal(stockClass?.pricePerShare ?? "0");
  if (!looksSwapped(shares, parseDecimal(price), usual)) return [];
  const compared = usual === ZERO ? "" : `, where the class's price is ${stockClass?.pricePerShare}`;
  const detail = `${quantity} shares at ${price} each${compared}: quantity and price may have been swapped.`;
  return [{ code: "price-and-quantity-swapped", detail }];
}

/** The entry that made the security keeps its day: no view of a past day follows the date on the record. */
function otherDay(db: Reader, { orgId, id, grantDate }: IssuedRow): readonly Warning[] {
  const day = findDayOnLedger(db, { orgId, securityId: id })?.effectiveDate ?? grantDate;
  if (day === grantDate) return [];
  const detail = `The grant date is ${grantDate} now; the ledger keeps ${day}, and the cap table counts from that day.`;
  return [{ code: "day-differs", detail }];
}

/**
 * The warning of a split of a class with a par value: the charter decides whether it changes, and the record keeps it.
 */
export function parUnchanged(db: Reader, orgId: string, route: string, command: Command): readonly Warning[] {
  if (route !== "split") return [];
  const stockClass = findRecord(db, "share_classes", orgId, asText(command.stockClassId) ?? "");
  if (!stockClass || stockClass.parValue === null) return [];
  const detail =
    `The par value of ${stockClass.name} stays ${stockClass.parValue}: the charter decides whether the split changes it, ` +
    "and `PATCH` of the class says so.";
  return [{ code: "par-value-unchanged", detail }];
}

/** The warning of a cancellation that uses the shares up, although the plan's default returns them to its reserve. */
export function leftInPlan(db: Reader, security: SecurityRow | undefined, route: string, command: Command): Warning[] {
  if (route !== "cancel" || command.returnToPool === true) return [];
  if (!security?.planCharge || !security.equityPlanId) return [];
  const plan = findRecord(db, "equity_plans", security.orgId, security.equityPlanId);
  if (plan?.defaultCancellationBehavior !== "RETURN_TO_POOL") return [];
  const detail =
    `${plan.planName} returns cancelled shares to its reserve; this cancellation does not: what is cancelled stays ` +
    "used up. `returnToPool` returns it.";
  return [{ code: "left-in-plan", detail }];
}

// Warnings about a grant of incentive stock options: the findings of iso-rules.ts, by the records after the grant.

import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import { listEvery } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { countingRight, rightsOf } from "../rules/class-terms.ts";
import { CountingClasses } from "../rules/required-authorization.ts";
import { listDatedSplits, priceInSharesOf } from "../splits/dated-splits.ts";
import { asText } from "./dated-warnings.ts";
import { hasTenthOfVotes, isoFaults, type VotingClass } from "./iso-rules.ts";
import { holderOf, type Loaded, NOT_LOADED, planOf } from "./issue-warnings.ts";
import { Valuations409A } from "./valuation-in-force.ts";
import { listStockOf, listValuationsOf, listVoting, type VotingRow } from "./warning-store.ts";

/** A grant of options, as an operation or a record says it. */
interface Grant {
  readonly stakeholderId: string | null;
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  readonly optionType: string | null;
  readonly exercisePrice: string | null;
  readonly grantDate: CalendarDate;
  readonly expirationDate: CalendarDate | null;
}

/** An operation that was done: its body, and the records that it loaded. */
interface Done extends Loaded {
  readonly route: string;
  readonly command: Readonly<Record<string, unknown>>;
}

/** The same of an operation that was done; nothing of any but a grant. */
export function isoWarningsOf(db: Reader, orgId: string, done: Done): readonly Warning[] {
  const { route, command } = done;
  if (route !== "issue-options") return [];
  const grant = {
    stakeholderId: asText(command.stakeholderId),
    stockClassId: asText(command.stockClassId),
    equityPlanId: asText(command.stockPlanId),
    optionType: asText(command.optionType),
    exercisePrice: asText(command.exercisePrice),
    grantDate: String(command.effectiveDate),
    expirationDate: asText(command.expirationDate),
  };
  return isoWarnings(db, orgId, grant, done);
}

const NAMES = [
  ...(["stakeholderId", "stockClassId", "equityPlanId", "optionType"] as const),
  ...(["exercisePrice", "grantDate", "expirationDate"] as const),
] as const;

/** What is looked at of the row of a security. */
export type GrantRow = Pick<Row<"securities">, "orgId" | "type" | (typeof NAMES)[number]>;

/** The same of the row of a new security. */
export function isoIssuedWarnings(db: Reader, row: GrantRow, loaded: Loaded): readonly Warning[] {
  return row.type === "STOCK_OPTION" ? isoWarnings(db, row.orgId, row, loaded) : [];
}

/** The same of a record that was made, or changed in what they look at; `before` is null for a new one. */
export function isoRecordWarnings(
  db: Reader,
  row: Row<"securities">,
  before: Row<"securities"> | null,
): readonly Warning[] {
  if (before !== null && NAMES.every((name) => row[name] === before[name])) return [];
  return isoIssuedWarnings(db, row, NOT_LOADED);
}

function isoWarnings(db: Reader, orgId: string, grant: Grant, loaded: Loaded): readonly Warning[] {
  if (grant.optionType !== "ISO") return [];
  const { stakeholderId, equityPlanId } = grant;
  const holder = holderOf(db, orgId, stakeholderId, loaded);
  const hasTenth = stakeholderId !== null && holdsTenth(db, orgId, stakeholderId);
  return isoFaults({
    grantDate: grant.grantDate,
    expirationDate: grant.expirationDate,
    strike: grant.exercisePrice,
    fairValue: hasTenth ? fairValueOf(db, orgId, grant) : null,
    holder: holder ? { displayName: holder.displayName, relationships: JSON.parse(holder.relationships) } : null,
    hasTenth,
    plan: planOf(db, orgId, equityPlanId, loaded),
    asOf: grant.grantDate,
  });
}

function holdsTenth(db: Reader, orgId: string, stakeholderId: string): boolean {
  const own = new Map<string, Decimal>();
  for (const { stockClassId, quantity } of listStockOf(db, { orgId, stakeholderId })) {
    if (stockClassId === null) continue;
    own.set(stockClassId, (own.get(stockClassId) ?? ZERO) + parseDecimal(quantity));
  }
  if (own.size === 0) return false;
  const classes = listVoting(db, { orgId });
  // A holder with at most a tenth of each class has at most a tenth of all votes, however the classes vote.
  const isFew = classes.every(({ id, issued }) => (own.get(id) ?? ZERO) * 10n <= parseDecimal(issued));
  return !isFew && hasTenthOfVotes(votingClasses(classes), own);
}

/** Classes as they vote, by the terms on record. */
export function votingClasses(rows: readonly VotingRow[]): readonly VotingClass[] {
  const kept = rows.filter(({ deletedAt }) => deletedAt === null);
  return rows.map((row) => ({ ...row, ratio: countingRight(rightsOf(row), kept).ratio }));
}

/** By the 409A in force on the day of the grant. */
function fairValueOf(db: Reader, orgId: string, grant: Grant): string | null {
  const isKept = ({ deletedAt }: { readonly deletedAt: string | null }) => deletedAt === null;
  const [classes, plans] = [listEvery(db, "share_classes", orgId), listEvery(db, "equity_plans", orgId)];
  const stockClassId = new CountingClasses(classes.filter(isKept), plans.filter(isKept)).ofOption(grant);
  if (stockClassId === null) return null;
  const { grantDate } = grant;
  const valuation = new Valuations409A(listValuationsOf(db, { orgId, stockClassId })).inForce(stockClassId, grantDate);
  if (valuation === null) return null;
  const splits = listDatedSplits(db, orgId).filter(({ date }) => date <= grantDate);
  return priceInSharesOf({ type: "STOCK_OPTION", grantDate }, valuation, splits);
}

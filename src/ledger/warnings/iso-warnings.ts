// Warnings about a grant of incentive stock options: the findings of iso-rules.ts, by the records after the grant.

import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import { findRecord, listEvery } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { countingRight, rightsOf } from "../rules/class-terms.ts";
import { CountingClasses } from "../rules/required-authorization.ts";
import { listDatedSplits, priceInSharesOf } from "../splits/dated-splits.ts";
import { asText } from "./dated-warnings.ts";
import { hasTenthOfVotes, isoFaults, type VotingClass } from "./iso-rules.ts";
import { Valuations409A } from "./valuation-in-force.ts";
import { listStockOf, listValuationsOf } from "./warning-store.ts";

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

/** The same of an operation that was done; nothing of any but a grant. */
export function isoWarningsOf(
  db: Reader,
  orgId: string,
  { route, command }: { readonly route: string; readonly command: Readonly<Record<string, unknown>> },
): readonly Warning[] {
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
  return isoWarnings(db, orgId, grant);
}

const NAMES = [
  ...(["stakeholderId", "stockClassId", "equityPlanId", "optionType"] as const),
  ...(["exercisePrice", "grantDate", "expirationDate"] as const),
] as const;

/** The same of a record that was made, or changed in what they look at; `before` is null for a new one. */
export function isoRecordWarnings(
  db: Reader,
  row: Row<"securities">,
  before: Row<"securities"> | null,
): readonly Warning[] {
  if (row.type !== "STOCK_OPTION") return [];
  if (before !== null && NAMES.every((name) => row[name] === before[name])) return [];
  return isoWarnings(db, row.orgId, row);
}

function isoWarnings(db: Reader, orgId: string, grant: Grant): readonly Warning[] {
  if (grant.optionType !== "ISO") return [];
  const { stakeholderId, equityPlanId } = grant;
  const holder = stakeholderId === null ? undefined : findRecord(db, "stakeholders", orgId, stakeholderId);
  const plan = equityPlanId === null ? undefined : findRecord(db, "equity_plans", orgId, equityPlanId);
  const hasTenth = stakeholderId !== null && holdsTenth(db, orgId, stakeholderId);
  return isoFaults({
    grantDate: grant.grantDate,
    expirationDate: grant.expirationDate,
    strike: grant.exercisePrice,
    fairValue: hasTenth ? fairValueOf(db, orgId, grant) : null,
    holder: holder ? { displayName: holder.displayName, relationships: JSON.parse(holder.relationships) } : null,
    hasTenth,
    plan: plan ?? null,
    asOf: grant.grantDate,
  });
}

function holdsTenth(db: Reader, orgId: string, stakeholderId: string): boolean {
  const own = new Map<string, Decimal>();
  for (const { stockClassId, quantity } of listStockOf(db, { orgId, stakeholderId })) {
    if (stockClassId === null) continue;
    own.set(stockClassId, (own.get(stockClassId) ?? ZERO) + parseDecimal(quantity));
  }
  return own.size > 0 && hasTenthOfVotes(votingClasses(listEvery(db, "share_classes", orgId)), own);
}

/** Classes as they vote, by the terms on record. */
export function votingClasses(rows: readonly Row<"share_classes">[]): readonly VotingClass[] {
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

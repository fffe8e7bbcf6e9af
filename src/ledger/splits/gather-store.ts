// SQL of the facts of a large split.
import { sql } from "kysely";
import type { CalendarDate } from "../../kernel/date.ts";
import {
  all,
  build,
  exists,
  first,
  iterate,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
} from "../../storage/database/sql.ts";

const NARROW = [
  ...(["id", "type", "status", "quantity", "stockClassId", "equityPlanId", "planCharge"] as const),
  ...(["pricePerShare", "exercisePrice", "vestingStoppedOn"] as const),
] as const;

/** What a split asks of a security. */
export type NarrowRow = Pick<Row<"securities">, (typeof NARROW)[number]>;

/** A class. */
export interface OfClass {
  readonly orgId: string;
  readonly stockClassId: string;
}

/** A plan. */
interface OfPlan {
  readonly orgId: string;
  readonly equityPlanId: string;
}

/** The ACTIVE securities of a class, one by one. */
export const iterateOpenOfClass = iterate((param: Params<OfClass>) =>
  ofOrganization("securities", param)
    .select(NARROW)
    .where("stockClassId", "=", param("stockClassId"))
    .where("status", "=", "ACTIVE")
    .orderBy("seq"),
);

/** Every security under a plan, one by one. */
export const iterateUnderPlan = iterate((param: Params<OfPlan>) =>
  ofOrganization("securities", param).select(NARROW).where("equityPlanId", "=", param("equityPlanId")).orderBy("seq"),
);

/** Whether a class has more ACTIVE securities than `count`. */
export const hasMoreOfClass = exists((param: Params<OfClass & { count: number }>) =>
  ofOrganization("securities", param)
    .select("seq")
    .where("stockClassId", "=", param("stockClassId"))
    .where("status", "=", "ACTIVE")
    .limit(1)
    .offset(param("count")),
);

/** Whether more securities than `count` are under a plan. */
export const hasMoreUnderPlan = exists((param: Params<OfPlan & { count: number }>) =>
  ofOrganization("securities", param)
    .select("seq")
    .where("equityPlanId", "=", param("equityPlanId"))
    .limit(1)
    .offset(param("count")),
);

/** One security. */
export const findNarrow = first((param: Params<{ orgId: string; id: string }>) =>
  ofOrganization("securities", param).select(NARROW).where("id", "=", param("id")),
);

/** Places in the ledger: after one, up to another. */
interface Between extends OfClass {
  readonly after: number;
  readonly upTo: number;
}

const latest = statement((param: Params<Between>) => ({
  compile: () =>
    sql<{ latest: CalendarDate | null }>`select max(t."effectiveDate") as latest
      from transactions t cross join securities s
        on s."orgId" = t."orgId" and s.id in (t."securityId", json_extract(t.metadata, '$.newSecurityId'))
      where t."orgId" = ${param("orgId")} and t.sequence > ${param("after")} and t.sequence <= ${param("upTo")}
        and t."recordOnly" = 0 and s."stockClassId" = ${param("stockClassId")}`.compile(build),
}));

/**
 * The latest day of entries on a class's securities, or that made one of them, between two places; null without one.
 */
export function latestBetween(db: Reader, between: Between): CalendarDate | null {
  return latest.first(db, between)?.latest ?? null;
}

/** Whether the ledger has a split after a place. */
export const hasSplitSince = exists((param: Params<{ orgId: string; after: number }>) =>
  ofOrganization("transactions", param)
    .select("seq")
    .where("sequence", ">", param("after"))
    .where("type", "=", "STOCK_SPLIT")
    .limit(1),
);

const changes = all((param: Params<{ orgId: string; after: number; upTo: number }>) =>
  ofOrganization("audit_log", param)
    .select(["resourceId", "before"])
    .where("sequence", ">", param("after"))
    .where("sequence", "<=", param("upTo"))
    .where("resourceType", "=", "security")
    .orderBy("sequence"),
);

/** By a security's id its changed columns as they were before the first change, or null for one that is new. */
export type ChangedSecurities = Map<string, Partial<NarrowRow> | null>;

/** Adds the securities that rows of the log changed, after those that are there. */
export function addChanged(
  db: Reader,
  rows: { readonly orgId: string; readonly after: number; readonly upTo: number },
  changed: ChangedSecurities,
): void {
  for (const { resourceId, before } of changes(db, rows)) {
    const id = resourceId ?? "";
    const known = changed.get(id);
    if (known === null) continue;
    changed.set(id, before === null ? null : { ...JSON.parse(before), ...known });
  }
}
